#include "views/diagnostics/diagnostic_words.h"

#include <QCoreApplication>

namespace tilewright::views {

// Of files, projects, reports and runs; and those that only developers meet, by their titles alone.
std::vector<CodeWords> const &runWords()
{
    static std::vector<CodeWords> const words{
        {"file.database", QT_TRANSLATE_NOOP("diagnostics", "A project or report would be replaced"), {
            QT_TRANSLATE_NOOP("diagnostics", "a project or a report has that name, and would be replaced."),
        }},
        {"file.folder", QT_TRANSLATE_NOOP("diagnostics", "A folder cannot be used"), {
            QT_TRANSLATE_NOOP("diagnostics", "the folder belongs to another user."),
            QT_TRANSLATE_NOOP("diagnostics", "a file stands where a folder is needed."),
            QT_TRANSLATE_NOOP("diagnostics", "cannot make the folder: %1."),
            QT_TRANSLATE_NOOP("diagnostics", "cannot write into the folder: %1."),
        }},
        {"file.lock", QT_TRANSLATE_NOOP("diagnostics", "A file cannot be locked"), {
            QT_TRANSLATE_NOOP("diagnostics", "cannot lock the file: %1."),
        }},
        {"file.lock-timeout", QT_TRANSLATE_NOOP("diagnostics", "Another process holds a file"), {
            QT_TRANSLATE_NOOP("diagnostics", "another process holds the lock for over %1 ms."),
        }},
        {"file.no-room", QT_TRANSLATE_NOOP("diagnostics", "There is no room left"), {
            QT_TRANSLATE_NOOP("diagnostics", "cannot write the file: %1."),
        }},
        {"file.read", QT_TRANSLATE_NOOP("diagnostics", "A file cannot be read"), {
            QT_TRANSLATE_NOOP("diagnostics", "cannot open the file: %1."),
            QT_TRANSLATE_NOOP("diagnostics", "cannot read the file: %1."),
        }},
        {"file.write", QT_TRANSLATE_NOOP("diagnostics", "A file cannot be written"), {
            QT_TRANSLATE_NOOP("diagnostics", "cannot write the file: a folder has that name."),
            QT_TRANSLATE_NOOP("diagnostics", "cannot write the file: %1."),
        }},
        {"host.memory", QT_TRANSLATE_NOOP("diagnostics", "The host's memory is not enough"), {
            QT_TRANSLATE_NOOP("diagnostics", "%1 does not fit in the host's memory: the system gave no more."),
            QT_TRANSLATE_NOOP("diagnostics", "%1 does not fit in the host's memory: it needs about %2, and %3 can be had (%4)."),
            QT_TRANSLATE_NOOP("diagnostics", "Close other programs, raise the process's limits (ulimit -v), make model, batch or data smaller, or use a machine with more memory."),
            QT_TRANSLATE_NOOP("diagnostics", "cannot reserve %1 of address space for the tiles."),
            QT_TRANSLATE_NOOP("diagnostics", "Use the fused mode, or fewer IPUs or tiles."),
            QT_TRANSLATE_NOOP("diagnostics", "the data set"),
            QT_TRANSLATE_NOOP("diagnostics", "the next micro-batch"),
            QT_TRANSLATE_NOOP("diagnostics", "the report of the run"),
        }},
        {"job.cancelled", QT_TRANSLATE_NOOP("diagnostics", "Cancelled"), {
            QT_TRANSLATE_NOOP("diagnostics", "cancelled"),
        }},
        {"json.limit", QT_TRANSLATE_NOOP("diagnostics", "A JSON text is too large"), {
            QT_TRANSLATE_NOOP("diagnostics", "the JSON text has more than %1 bytes."),
            QT_TRANSLATE_NOOP("diagnostics", "the JSON text is nested more than %1 levels deep."),
        }},
        {"json.syntax", QT_TRANSLATE_NOOP("diagnostics", "This is no valid JSON"), {
            QT_TRANSLATE_NOOP("diagnostics", "this is not valid JSON: the text ends too early."),
            QT_TRANSLATE_NOOP("diagnostics", "this is not valid JSON: an error at %1."),
            QT_TRANSLATE_NOOP("diagnostics", "this is not valid JSON: a number is out of range."),
            QT_TRANSLATE_NOOP("diagnostics", "Correct it there."),
        }},
        {"threads.fewer", QT_TRANSLATE_NOOP("diagnostics", "The system gave fewer threads"), {
            QT_TRANSLATE_NOOP("diagnostics", "the system gave %1 of %2 threads; the run goes on with them, slower and with the same numbers."),
            QT_TRANSLATE_NOOP("diagnostics", "Ask for fewer (--threads), or raise the limits on processes and address space (ulimit -u, ulimit -v)."),
        }},
        {"blob.damaged", QT_TRANSLATE_NOOP("diagnostics", "A stored executable is damaged"), {
            QT_TRANSLATE_NOOP("diagnostics", "Compile again; 'tilewright cache clear' empties the cache."),
            QT_TRANSLATE_NOOP("diagnostics", "the checksum of the payload (byte %1 on) does not match."),
            QT_TRANSLATE_NOOP("diagnostics", "the file ends in its header, at byte %1 of %2."),
            QT_TRANSLATE_NOOP("diagnostics", "the file ends in its header, at byte %1."),
            QT_TRANSLATE_NOOP("diagnostics", "the header's lengths (byte 12 on) contradict each other."),
            QT_TRANSLATE_NOOP("diagnostics", "the header's checksum (byte 48) does not match."),
            QT_TRANSLATE_NOOP("diagnostics", "the file has %1 bytes of payload where its header says %2."),
            QT_TRANSLATE_NOOP("diagnostics", "the entry describes another executable than its name."),
        }},
        {"blob.key", QT_TRANSLATE_NOOP("diagnostics", "The description of an executable is too long"), {
            QT_TRANSLATE_NOOP("diagnostics", "the description of the executable is longer than the format allows."),
        }},
        {"blob.newer", QT_TRANSLATE_NOOP("diagnostics", "An executable is of a newer version"), {
            QT_TRANSLATE_NOOP("diagnostics", "the file has format %1, written by a newer version; this one reads up to %2."),
        }},
        {"blob.not-one", QT_TRANSLATE_NOOP("diagnostics", "This is no executable"), {
            QT_TRANSLATE_NOOP("diagnostics", "the file is no Tilewright executable (its first 8 bytes are others)."),
        }},
        {"cache.clear", QT_TRANSLATE_NOOP("diagnostics", "The cache cannot be emptied"), {
            QT_TRANSLATE_NOOP("diagnostics", "cannot remove the file: %1."),
        }},
        {"cache.damaged", QT_TRANSLATE_NOOP("diagnostics", "An entry of the cache is damaged"), {
            QT_TRANSLATE_NOOP("diagnostics", "a damaged entry of the executable cache is not used; compiling again: %1"),
            QT_TRANSLATE_NOOP("diagnostics", "It is compiled again."),
        }},
        {"cache.folder", QT_TRANSLATE_NOOP("diagnostics", "The folder of the cache cannot be used"), {
            QT_TRANSLATE_NOOP("diagnostics", "the executable cache cannot be used: %1"),
            QT_TRANSLATE_NOOP("diagnostics", "Choose another folder with --executable_cache_path, or compile with --no-cache."),
        }},
        {"executable.damaged", QT_TRANSLATE_NOOP("diagnostics", "An executable is damaged"), {
            QT_TRANSLATE_NOOP("diagnostics", "the stored executable is damaged: %1"),
            QT_TRANSLATE_NOOP("diagnostics", "Compile again (--no-cache)."),
        }},
        {"checkpoint.counter", QT_TRANSLATE_NOOP("diagnostics", "A counter of the checkpoint is damaged"), {
            QT_TRANSLATE_NOOP("diagnostics", "this is no count of finished steps or epochs."),
            QT_TRANSLATE_NOOP("diagnostics", "Write one whole number there."),
        }},
        {"checkpoint.damaged", QT_TRANSLATE_NOOP("diagnostics", "A checkpoint is damaged"), {
            QT_TRANSLATE_NOOP("diagnostics", "the tensor '%1' has the wrong size."),
            QT_TRANSLATE_NOOP("diagnostics", "Train again, or use another copy of the project."),
        }},
        {"checkpoint.file", QT_TRANSLATE_NOOP("diagnostics", "There is no such checkpoint"), {
            QT_TRANSLATE_NOOP("diagnostics", "there is no such file of weights."),
            QT_TRANSLATE_NOOP("diagnostics", "Check the path; `train --checkpoint FILE.npz` writes one."),
        }},
        {"checkpoint.none", QT_TRANSLATE_NOOP("diagnostics", "There are no trained weights"), {
            QT_TRANSLATE_NOOP("diagnostics", "no checkpoint: these are the initial weights."),
            QT_TRANSLATE_NOOP("diagnostics", "Train first, or name one with --checkpoint."),
            QT_TRANSLATE_NOOP("diagnostics", "the project holds no trained weights."),
            QT_TRANSLATE_NOOP("diagnostics", "Train it first."),
        }},
        {"checkpoint.not-finite", QT_TRANSLATE_NOOP("diagnostics", "Weights are not finite"), {
            QT_TRANSLATE_NOOP("diagnostics", "weights that are infinite or not a number are not saved."),
            QT_TRANSLATE_NOOP("diagnostics", "the last weights are infinite or not a number, and are not kept."),
            QT_TRANSLATE_NOOP("diagnostics", "Kept are those of step %1."),
            QT_TRANSLATE_NOOP("diagnostics", "What was there before is as it was."),
        }},
        {"checkpoint.place", QT_TRANSLATE_NOOP("diagnostics", "The weights would replace a file"), {
            QT_TRANSLATE_NOOP("diagnostics", "the weights and the report have the same name."),
            QT_TRANSLATE_NOOP("diagnostics", "Name two files."),
            QT_TRANSLATE_NOOP("diagnostics", "the file is there and holds no weights: they would replace it."),
            QT_TRANSLATE_NOOP("diagnostics", "Name another file, such as weights.npz."),
        }},
        {"checkpoint.project", QT_TRANSLATE_NOOP("diagnostics", "The project keeps no weights of this run"), {
            QT_TRANSLATE_NOOP("diagnostics", "the project keeps no weights of this run: %1"),
            QT_TRANSLATE_NOOP("diagnostics", "They go to %1."),
            QT_TRANSLATE_NOOP("diagnostics", "Save the project elsewhere to keep the weights."),
        }},
        {"checkpoint.other-model", QT_TRANSLATE_NOOP("diagnostics", "The project has another model now"), {
            QT_TRANSLATE_NOOP("diagnostics", "the project's model is no longer the one that is trained: it has a weight '%1'."),
            QT_TRANSLATE_NOOP("diagnostics", "the project's model is no longer the one that is trained: it has no weight '%1'."),
            QT_TRANSLATE_NOOP("diagnostics", "the project's model is no longer the one that is trained: its weight '%1' is %2, the trained one %3."),
            QT_TRANSLATE_NOOP("diagnostics", "Change a copy while a training goes on."),
        }},
        {"checkpoint.synthetic", QT_TRANSLATE_NOOP("diagnostics", "Weights of synthetic data are not kept"), {
            QT_TRANSLATE_NOOP("diagnostics", "the project keeps no weights of this run: they are made of synthetic data. What it holds stays as it is."),
            QT_TRANSLATE_NOOP("diagnostics", "Train without --use_synthetic_data, or give --checkpoint FILE.npz to have these weights all the same."),
        }},
        {"numeric.prediction", QT_TRANSLATE_NOOP("diagnostics", "A prediction is not finite"), {
            QT_TRANSLATE_NOOP("diagnostics", "the prediction of output '%1' is not a number."),
            QT_TRANSLATE_NOOP("diagnostics", "the prediction of output '%1' is infinite."),
            QT_TRANSLATE_NOOP("diagnostics", "Lower training.optimizer.learning_rate, scale the data, or clip gradients."),
            QT_TRANSLATE_NOOP("diagnostics", "Train again with a lower training.optimizer.learning_rate, scale the data, or use other weights (--checkpoint)."),
        }},
        {"checkpoint.shape", QT_TRANSLATE_NOOP("diagnostics", "A checkpoint is of another model"), {
            QT_TRANSLATE_NOOP("diagnostics", "the checkpoint holds %1, the model has %2."),
            QT_TRANSLATE_NOOP("diagnostics", "the checkpoint is of another model than the project has now."),
            QT_TRANSLATE_NOOP("diagnostics", "Use a checkpoint of this model, or train from the start."),
        }},
        {"checkpoint.missing", QT_TRANSLATE_NOOP("diagnostics", "A checkpoint lacks a weight"), {
            QT_TRANSLATE_NOOP("diagnostics", "the checkpoint holds no such weight."),
        }},
        {"train.steps", QT_TRANSLATE_NOOP("diagnostics", "Another number of steps"), {
            QT_TRANSLATE_NOOP("diagnostics", "it makes %1 steps instead of %2: a weight update takes %3 steps."),
        }},
        {"train.no-steps", QT_TRANSLATE_NOOP("diagnostics", "Nothing was trained"), {
            QT_TRANSLATE_NOOP("diagnostics", "there was no step to take: the weights that the project keeps stay as they are."),
            QT_TRANSLATE_NOOP("diagnostics", "Raise training.epochs, or give --epochs."),
        }},
        {"train.not-finite", QT_TRANSLATE_NOOP("diagnostics", "Weights are not finite"), {
            QT_TRANSLATE_NOOP("diagnostics", "its update made weights that are infinite or not a number."),
            QT_TRANSLATE_NOOP("diagnostics", "Lower training.optimizer.learning_rate, scale the data, or clip gradients."),
        }},
        {"train.resume-done", QT_TRANSLATE_NOOP("diagnostics", "Nothing is left to train"), {
            QT_TRANSLATE_NOOP("diagnostics", "the checkpoint stands behind epoch %1, and training ends at epoch %2: the weights stay as they are."),
            QT_TRANSLATE_NOOP("diagnostics", "Epochs are counted from the beginning: raise training.epochs, or give --epochs, above %1."),
        }},
        {"train.replaces", QT_TRANSLATE_NOOP("diagnostics", "Trained weights are replaced"), {
            QT_TRANSLATE_NOOP("diagnostics", "this training begins anew, and its weights take the place of those of epoch %1 (step %2) that the project holds."),
            QT_TRANSLATE_NOOP("diagnostics", "--resume last goes on from those instead."),
            QT_TRANSLATE_NOOP("diagnostics", "To go on from weights that a project holds, use Continue training instead of Run."),
        }},
        {"verify.steps", QT_TRANSLATE_NOOP("diagnostics", "The data end early"), {
            QT_TRANSLATE_NOOP("diagnostics", "the data are at an end after %1 of the %2 weight updates that were asked for."),
            QT_TRANSLATE_NOOP("diagnostics", "Ask for fewer, or raise data.limit."),
            QT_TRANSLATE_NOOP("diagnostics", "Ask for fewer, or lower training.batch_size."),
        }},
        {"checkpoint.unsaved", QT_TRANSLATE_NOOP("diagnostics", "The weights could not be saved"), {
            QT_TRANSLATE_NOOP("diagnostics", "the trained weights could not be written there: %1"),
        }},
        {"fused.unsupported", QT_TRANSLATE_NOOP("diagnostics", "An operation has no host kernel"), {
            QT_TRANSLATE_NOOP("diagnostics", "operation '%1' has no host kernel."),
            QT_TRANSLATE_NOOP("diagnostics", "Run with --mode tile."),
        }},
        {"infeed.end", QT_TRANSLATE_NOOP("diagnostics", "The data are at their end"), {
            QT_TRANSLATE_NOOP("diagnostics", "the data set has no more elements."),
            QT_TRANSLATE_NOOP("diagnostics", "Use fewer steps, or a larger data set."),
        }},
        {"lowering.call", QT_TRANSLATE_NOOP("diagnostics", "A body is called on two IPUs"), {
            QT_TRANSLATE_NOOP("diagnostics", "a body is called on two IPUs."),
            QT_TRANSLATE_NOOP("diagnostics", "Give each pipeline stage a body of its own."),
        }},
        {"lowering.pipeline", QT_TRANSLATE_NOOP("diagnostics", "A pipeline cannot carry a value"), {
            QT_TRANSLATE_NOOP("diagnostics", "a result of a stage's forward pass is wanted by the backward pass of one before it."),
        }},
        {"lowering.condition", QT_TRANSLATE_NOOP("diagnostics", "A branch or a loop works on several IPUs"), {
            QT_TRANSLATE_NOOP("diagnostics", "what it decides about works on several IPUs."),
            QT_TRANSLATE_NOOP("diagnostics", "Put all of it into one pipeline stage."),
            QT_TRANSLATE_NOOP("diagnostics", "variables inside a branch or a loop of a pipeline are not available yet."),
            QT_TRANSLATE_NOOP("diagnostics", "Read and assign them around it."),
        }},
        {"passes.decision", QT_TRANSLATE_NOOP("diagnostics", "Replicas may decide differently"), {
            QT_TRANSLATE_NOOP("diagnostics", "what decides it may differ between replicas, which would then go different ways"),
            QT_TRANSLATE_NOOP("diagnostics", "sum or average it over the replicas first, or use one replica"),
        }},
        {"lowering.unsupported", QT_TRANSLATE_NOOP("diagnostics", "An operation cannot be compiled for the IPU"), {
            QT_TRANSLATE_NOOP("diagnostics", "operation '%1' cannot be compiled for the IPU yet."),
        }},
        {"memory.out-of-memory", QT_TRANSLATE_NOOP("diagnostics", "It does not fit"), {
            QT_TRANSLATE_NOOP("diagnostics", "cannot fit all data: the tile needs %1 bytes at once, reaches %2 as they are placed and has %3; %4 of %5 tiles are over. What lives at once would fit, but no room between it is as large as what is to be placed there. The peak is at step '%6'. Largest there: %7."),
            QT_TRANSLATE_NOOP("diagnostics", "cannot fit all data: the tile needs %1 bytes at once, reaches %2 as they are placed and has %3; %4 of %5 tiles are over. Its code is what does not fit: code runs from the first %6 bytes of a tile only, where its %7 bytes of code and what lies between them find no room. The peak is at step '%8'. Largest there: %9."),
            QT_TRANSLATE_NOOP("diagnostics", "cannot fit all data: the tile needs %1 bytes at once, reaches %2 as they are placed and has %3; %4 of %5 tiles are over. The peak is at step '%6'. Largest there: %7."),
            QT_TRANSLATE_NOOP("diagnostics", "More tiles or IPUs (system.target), a smaller batch size or pipeline stages change what a tile holds."),
        }},
        {"numeric.loss", QT_TRANSLATE_NOOP("diagnostics", "The loss is not finite"), {
            QT_TRANSLATE_NOOP("diagnostics", "the loss is not a number (operation '%1', layer '%2')."),
            QT_TRANSLATE_NOOP("diagnostics", "the loss is not a number (operation '%1')."),
            QT_TRANSLATE_NOOP("diagnostics", "the loss is infinite (operation '%1', layer '%2')."),
            QT_TRANSLATE_NOOP("diagnostics", "the loss is infinite (operation '%1')."),
            QT_TRANSLATE_NOOP("diagnostics", "Lower training.optimizer.learning_rate, scale the data, or clip gradients; weights of the last finished step are kept."),
            QT_TRANSLATE_NOOP("diagnostics", "Train again with a lower training.optimizer.learning_rate, scale the data, or use other weights (--checkpoint)."),
        }},
        {"project.json", QT_TRANSLATE_NOOP("diagnostics", "A part of the project is damaged"), {
            QT_TRANSLATE_NOOP("diagnostics", "this part of the project is not valid JSON."),
            QT_TRANSLATE_NOOP("diagnostics", "this part of the project is not an object."),
            QT_TRANSLATE_NOOP("diagnostics", "Restore it from a backup or export."),
            QT_TRANSLATE_NOOP("diagnostics", "the target is not a text."),
            QT_TRANSLATE_NOOP("diagnostics", "Write a name such as \"gc200\"."),
            QT_TRANSLATE_NOOP("diagnostics", "the field \"version\" is missing or no whole number"),
            QT_TRANSLATE_NOOP("diagnostics", "the field \"version\" is no version"),
            QT_TRANSLATE_NOOP("diagnostics", "Write \"version\": 1."),
            QT_TRANSLATE_NOOP("diagnostics", "this is a group of fields, and the value is no JSON object."),
            QT_TRANSLATE_NOOP("diagnostics", "Write an object, or set its fields one by one."),
        }},
        {"project.layout", QT_TRANSLATE_NOOP("diagnostics", "The layout of the canvas is damaged"), {
            QT_TRANSLATE_NOOP("diagnostics", "the layout of the canvas is damaged."),
            QT_TRANSLATE_NOOP("diagnostics", "It is drawn anew."),
        }},
        {"project.no-checkpoint", QT_TRANSLATE_NOOP("diagnostics", "The project holds no such checkpoint"), {
            QT_TRANSLATE_NOOP("diagnostics", "the project holds no checkpoint of that name"),
            QT_TRANSLATE_NOOP("diagnostics", "It holds none yet."),
            QT_TRANSLATE_NOOP("diagnostics", "It holds: %1."),
        }},
        {"project.no-field", QT_TRANSLATE_NOOP("diagnostics", "There is no such field"), {
            QT_TRANSLATE_NOOP("diagnostics", "no such field."),
            QT_TRANSLATE_NOOP("diagnostics", "Fields are %1."),
            QT_TRANSLATE_NOOP("diagnostics", "Fields start with title, model., ipu_config., system., training., data. or engine_options."),
        }},
        {"project.group", QT_TRANSLATE_NOOP("diagnostics", "A group of fields is not set as one"), {
            QT_TRANSLATE_NOOP("diagnostics", "this is a group of fields, which cannot be set as one."),
            QT_TRANSLATE_NOOP("diagnostics", "Set its fields one by one; `tilewright get PROJECT %1` shows them."),
        }},
        {"project.no-model", QT_TRANSLATE_NOOP("diagnostics", "The project holds no model"), {
            QT_TRANSLATE_NOOP("diagnostics", "the project holds no model."),
            QT_TRANSLATE_NOOP("diagnostics", "Add a 'model' part in Keras to_json form."),
        }},
        {"project.tensor-too-large", QT_TRANSLATE_NOOP("diagnostics", "A tensor is too large for a project"), {
            QT_TRANSLATE_NOOP("diagnostics", "a tensor of %1 cannot be stored in a project"),
            QT_TRANSLATE_NOOP("diagnostics", "Write the checkpoint to a file of its own."),
        }},
        {"report.cpu", QT_TRANSLATE_NOOP("diagnostics", "There is no program of an IPU"), {
            QT_TRANSLATE_NOOP("diagnostics", "the cpu target has no IPU program to report on."),
            QT_TRANSLATE_NOOP("diagnostics", "Choose an IPU target, such as gc200, or train without --report."),
        }},
        {"runtime.too-few-ipus", QT_TRANSLATE_NOOP("diagnostics", "The target has too few IPUs"), {
            QT_TRANSLATE_NOOP("diagnostics", "the model needs %1 IPU(s) per replica and %2 replicas, but %3 has %4."),
            QT_TRANSLATE_NOOP("diagnostics", "the model needs %1 IPU(s) per replica, but %2 has %3."),
            QT_TRANSLATE_NOOP("diagnostics", "Choose a target with at least %1 IPUs, such as '%2:ipus=%3'."),
            QT_TRANSLATE_NOOP("diagnostics", "The model needs %1 IPU(s) per replica and %2 replicas, but the system has %3."),
            QT_TRANSLATE_NOOP("diagnostics", "The model needs %1 IPU(s) per replica, but the system has %2."),
            QT_TRANSLATE_NOOP("diagnostics", "Choose a system with at least %1 IPUs."),
        }},
        {"state.type", QT_TRANSLATE_NOOP("diagnostics", "Weights of that type have no first values"), {
            QT_TRANSLATE_NOOP("diagnostics", "weights of type %1 have no first values yet."),
            QT_TRANSLATE_NOOP("diagnostics", "Use float32 or float16."),
        }},
        {"verify.cpu", QT_TRANSLATE_NOOP("diagnostics", "There are no tiles to compare with"), {
            QT_TRANSLATE_NOOP("diagnostics", "the cpu target has no tiles to compare with."),
        }},
        {"store.busy", QT_TRANSLATE_NOOP("diagnostics", "Another process uses the file"), {
            QT_TRANSLATE_NOOP("diagnostics", "this report is being written"),
            QT_TRANSLATE_NOOP("diagnostics", "Wait for its run to end or choose another name."),
            QT_TRANSLATE_NOOP("diagnostics", "another process is using the file"),
            QT_TRANSLATE_NOOP("diagnostics", "Wait for it or choose another name."),
        }},
        {"store.cannot-open", QT_TRANSLATE_NOOP("diagnostics", "A file cannot be opened"), {
            QT_TRANSLATE_NOOP("diagnostics", "a report is a file that is read while it grows, and this is none"),
            QT_TRANSLATE_NOOP("diagnostics", "the file cannot be opened: %1"),
            QT_TRANSLATE_NOOP("diagnostics", "Check that the folder exists and may be used."),
            QT_TRANSLATE_NOOP("diagnostics", "this is a folder, not a file"),
            QT_TRANSLATE_NOOP("diagnostics", "this is a pipe, not a file."),
            QT_TRANSLATE_NOOP("diagnostics", "Write what it gives to a file first."),
        }},
        {"store.constraint", QT_TRANSLATE_NOOP("diagnostics", "A row breaks the rules of the file"), {
            QT_TRANSLATE_NOOP("diagnostics", "tile %1 names a layout that is not there"),
            QT_TRANSLATE_NOOP("diagnostics", "a row breaks the rules of the file: %1"),
        }},
        {"store.corrupt", QT_TRANSLATE_NOOP("diagnostics", "A file is damaged"), {
            QT_TRANSLATE_NOOP("diagnostics", "its part '%1' is damaged"),
            QT_TRANSLATE_NOOP("diagnostics", "Use a copy or the autosave."),
            QT_TRANSLATE_NOOP("diagnostics", "the stored tensor is damaged"),
            QT_TRANSLATE_NOOP("diagnostics", "the stored shape is damaged"),
            QT_TRANSLATE_NOOP("diagnostics", "Use another checkpoint."),
            QT_TRANSLATE_NOOP("diagnostics", "the file is damaged: %1"),
            QT_TRANSLATE_NOOP("diagnostics", "Use a copy or make it again."),
        }},
        {"store.disk-full", QT_TRANSLATE_NOOP("diagnostics", "There is no room left"), {
            QT_TRANSLATE_NOOP("diagnostics", "there is no room left to write the file"),
            QT_TRANSLATE_NOOP("diagnostics", "Free some space; what was written before is intact."),
            QT_TRANSLATE_NOOP("diagnostics", "the file reached the limit of file sizes"),
            QT_TRANSLATE_NOOP("diagnostics", "Raise the limit (ulimit -f); what was written before is intact."),
            QT_TRANSLATE_NOOP("diagnostics", "cannot write the file: %1."),
        }},
        {"store.finished", QT_TRANSLATE_NOOP("diagnostics", "A finished report is never changed"), {
            QT_TRANSLATE_NOOP("diagnostics", "a finished report is never changed"),
        }},
        {"store.interrupted", QT_TRANSLATE_NOOP("diagnostics", "A file was left in the middle of a change"), {
            QT_TRANSLATE_NOOP("diagnostics", "the file was left in the middle of a change, and may not be written to undo it"),
            QT_TRANSLATE_NOOP("diagnostics", "Copy it and what lies beside it to where you may write."),
        }},
        {"store.io", QT_TRANSLATE_NOOP("diagnostics", "A file cannot be used"), {
            QT_TRANSLATE_NOOP("diagnostics", "the file cannot be read or written: %1"),
            QT_TRANSLATE_NOOP("diagnostics", "Check the disk."),
            QT_TRANSLATE_NOOP("diagnostics", "the file cannot be used: %1"),
        }},
        {"store.missing", QT_TRANSLATE_NOOP("diagnostics", "There is no such file"), {
            QT_TRANSLATE_NOOP("diagnostics", "there is no such project"),
            QT_TRANSLATE_NOOP("diagnostics", "Check the name, or make one with 'tilewright new'."),
            QT_TRANSLATE_NOOP("diagnostics", "there is no such file"),
            QT_TRANSLATE_NOOP("diagnostics", "the report cannot be read any more"),
            QT_TRANSLATE_NOOP("diagnostics", "Open it again."),
        }},
        {"store.newer-version", QT_TRANSLATE_NOOP("diagnostics", "A file is of a newer version"), {
            QT_TRANSLATE_NOOP("diagnostics", "the project has format %1.%2, this program reads formats up to %3.x"),
            QT_TRANSLATE_NOOP("diagnostics", "Open it with a newer version."),
            QT_TRANSLATE_NOOP("diagnostics", "the project has version %1, this program reads versions up to %2"),
            QT_TRANSLATE_NOOP("diagnostics", "the report has format %1.%2, written by version %3"),
            QT_TRANSLATE_NOOP("diagnostics", "the report has format %1.%2"),
            QT_TRANSLATE_NOOP("diagnostics", "This program reads formats up to %1.x; use a newer one."),
        }},
        {"store.no-memory", QT_TRANSLATE_NOOP("diagnostics", "The host's memory is not enough"), {
            QT_TRANSLATE_NOOP("diagnostics", "the host's memory is not enough to use the file"),
            QT_TRANSLATE_NOOP("diagnostics", "Close other programs, or use a machine with more memory."),
        }},
        {"store.not-a-database", QT_TRANSLATE_NOOP("diagnostics", "A file is of another kind"), {
            QT_TRANSLATE_NOOP("diagnostics", "the file is of another kind"),
            QT_TRANSLATE_NOOP("diagnostics", "Choose a file that Tilewright wrote."),
        }},
        {"store.read-only", QT_TRANSLATE_NOOP("diagnostics", "A file may not be written"), {
            QT_TRANSLATE_NOOP("diagnostics", "the file may not be written"),
            QT_TRANSLATE_NOOP("diagnostics", "Check its permissions."),
        }},
        {"store.refused", QT_TRANSLATE_NOOP("diagnostics", "Only reading is allowed here"), {
            QT_TRANSLATE_NOOP("diagnostics", "only one statement at a time is allowed"),
            QT_TRANSLATE_NOOP("diagnostics", "only reading is allowed here"),
            QT_TRANSLATE_NOOP("diagnostics", "only reading is allowed here: %1"),
            QT_TRANSLATE_NOOP("diagnostics", "Use a single SELECT."),
        }},
        {"store.sql", QT_TRANSLATE_NOOP("diagnostics", "A query is wrong"), {
            QT_TRANSLATE_NOOP("diagnostics", "the query is empty"),
        }},
        {"store.time-limit", QT_TRANSLATE_NOOP("diagnostics", "A query took too long"), {
            QT_TRANSLATE_NOOP("diagnostics", "the query took too long and was stopped"),
            QT_TRANSLATE_NOOP("diagnostics", "Ask for less or allow more time."),
        }},
        {"store.wrong-kind", QT_TRANSLATE_NOOP("diagnostics", "A file is of another kind"), {
            QT_TRANSLATE_NOOP("diagnostics", "this is a report, not a project"),
            QT_TRANSLATE_NOOP("diagnostics", "Name a .tilewright file."),
            QT_TRANSLATE_NOOP("diagnostics", "this file is not a Tilewright project"),
            QT_TRANSLATE_NOOP("diagnostics", "Name a .tilewright file or its JSON twin."),
            QT_TRANSLATE_NOOP("diagnostics", "this JSON is not a Tilewright project"),
            QT_TRANSLATE_NOOP("diagnostics", "A project begins with \"format\": \"tilewright-project\"."),
            QT_TRANSLATE_NOOP("diagnostics", "this is a project, not a report"),
            QT_TRANSLATE_NOOP("diagnostics", "this file is not a Tilewright report"),
            QT_TRANSLATE_NOOP("diagnostics", "Name a .twreport file."),
            QT_TRANSLATE_NOOP("diagnostics", "the file is there and is no report, which would replace it"),
        }},
        {"assert.syntax", QT_TRANSLATE_NOOP("diagnostics", "A budget is written wrongly"), {}},
        {"assert.unknown-value", QT_TRANSLATE_NOOP("diagnostics", "The report has no such value"), {}},
        {"autodiff.no-gradient", QT_TRANSLATE_NOOP("diagnostics", "An operation has no gradient"), {}},
        {"autodiff.region", QT_TRANSLATE_NOOP("diagnostics", "A region cannot be differentiated"), {}},
        {"cli.limit", QT_TRANSLATE_NOOP("diagnostics", "A limit is written wrongly"), {}},
        {"conformance.feed", QT_TRANSLATE_NOOP("diagnostics", "A conformance case feeds wrongly"), {}},
        {"conformance.format", QT_TRANSLATE_NOOP("diagnostics", "A conformance case is written wrongly"), {}},
        {"conformance.path", QT_TRANSLATE_NOOP("diagnostics", "There are no conformance cases there"), {}},
        {"conformance.target", QT_TRANSLATE_NOOP("diagnostics", "A conformance case does not go with the target"), {}},
        {"conformance.unsupported", QT_TRANSLATE_NOOP("diagnostics", "A conformance case is not supported yet"), {}},
        {"conformance.weights", QT_TRANSLATE_NOOP("diagnostics", "The weights of a conformance case do not go"), {}},
        {"cost.bad-parameter", QT_TRANSLATE_NOOP("diagnostics", "A parameter of a codelet does not go"), {}},
        {"cost.missing-parameter", QT_TRANSLATE_NOOP("diagnostics", "A parameter of a codelet is missing"), {}},
        {"cost.no-codelet", QT_TRANSLATE_NOOP("diagnostics", "There is no codelet for it"), {}},
        {"cost.unknown-codelet", QT_TRANSLATE_NOOP("diagnostics", "There is no such codelet"), {}},
        {"cost.unknown-parameter", QT_TRANSLATE_NOOP("diagnostics", "A codelet has no such parameter"), {}},
        {"export.format", QT_TRANSLATE_NOOP("diagnostics", "There is no such export format"), {}},
        {"graph.attribute", QT_TRANSLATE_NOOP("diagnostics", "An attribute of an operation is not one of its own"), {}},
        {"graph.broken", QT_TRANSLATE_NOOP("diagnostics", "The graph is broken"), {}},
        {"graph.dropout", QT_TRANSLATE_NOOP("diagnostics", "A dropout cannot be computed"), {}},
        {"graph.expression", QT_TRANSLATE_NOOP("diagnostics", "An expression is written wrongly"), {}},
        {"graph.norm", QT_TRANSLATE_NOOP("diagnostics", "A normalisation cannot be computed"), {}},
        {"graph.operands", QT_TRANSLATE_NOOP("diagnostics", "An operation has too few or too many operands"), {}},
        {"graph.pool", QT_TRANSLATE_NOOP("diagnostics", "A pooling cannot be computed"), {}},
        {"graph.random", QT_TRANSLATE_NOOP("diagnostics", "Random numbers cannot be drawn"), {}},
        {"graph.shape", QT_TRANSLATE_NOOP("diagnostics", "Shapes do not go together"), {}},
        {"graph.text", QT_TRANSLATE_NOOP("diagnostics", "The text of a graph is written wrongly"), {}},
        {"graph.unknown-op", QT_TRANSLATE_NOOP("diagnostics", "There is no such operation"), {}},
        {"kernel.unsupported", QT_TRANSLATE_NOOP("diagnostics", "The host cannot compute an operation"), {}},
        {"op.argument", QT_TRANSLATE_NOOP("diagnostics", "An argument of an operation does not go"), {}},
        {"op.kind", QT_TRANSLATE_NOOP("diagnostics", "There is no such kind of operation"), {}},
        {"op.replicas", QT_TRANSLATE_NOOP("diagnostics", "The target has fewer IPUs than replicas"), {}},
        {"op.missing", QT_TRANSLATE_NOOP("diagnostics", "An argument of an operation is missing"), {}},
        {"passes.scheduler", QT_TRANSLATE_NOOP("diagnostics", "A scheduler does not work"), {}},
        {"emulator.predicate", QT_TRANSLATE_NOOP("diagnostics", "Replicas went different ways"), {}},
        {"fused.predicate", QT_TRANSLATE_NOOP("diagnostics", "Replicas went different ways"), {}},
        {"passes.storage", QT_TRANSLATE_NOOP("diagnostics", "The storage of the graph is broken"), {}},
        {"passes.unknown", QT_TRANSLATE_NOOP("diagnostics", "There is no such pass"), {}},
        {"program.broken", QT_TRANSLATE_NOOP("diagnostics", "The program is broken"), {}},
        {"proposal.batch", QT_TRANSLATE_NOOP("diagnostics", "No batch size near it divides the data"), {}},
        {"proposal.same", QT_TRANSLATE_NOOP("diagnostics", "The project is so already"), {}},
        {"proposal.samples", QT_TRANSLATE_NOOP("diagnostics", "The data could not be counted"), {}},
        {"proposal.updates", QT_TRANSLATE_NOOP("diagnostics", "An epoch holds no whole number of updates"), {}},
        {"reference.missing", QT_TRANSLATE_NOOP("diagnostics", "The reference lacks a value"), {}},
        {"reference.operands", QT_TRANSLATE_NOOP("diagnostics", "The reference cannot take these operands"), {}},
        {"reference.unknown", QT_TRANSLATE_NOOP("diagnostics", "The reference does not know an operation"), {}},
        {"report.argument", QT_TRANSLATE_NOOP("diagnostics", "This is no number of a tile or step"), {}},
        {"report.blob", QT_TRANSLATE_NOOP("diagnostics", "A block of the report is damaged"), {}},
        {"report.no-curve", QT_TRANSLATE_NOOP("diagnostics", "The report has no such curve"), {}},
        {"report.no-part", QT_TRANSLATE_NOOP("diagnostics", "The report has no such part"), {}},
        {"report.packed", QT_TRANSLATE_NOOP("diagnostics", "Packed columns of the report are damaged"), {}},
        {"report.tile-vec", QT_TRANSLATE_NOOP("diagnostics", "A tile vector of the report is damaged"), {}},
    };
    return words;
}

} // namespace tilewright::views
