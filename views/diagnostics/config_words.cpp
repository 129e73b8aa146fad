#include "views/diagnostics/diagnostic_words.h"

#include <QCoreApplication>

namespace tilewright::views {

// Of options, targets and devices.
std::vector<CodeWords> const &configWords()
{
    static std::vector<CodeWords> const words{
        {"config.bad-json", QT_TRANSLATE_NOOP("diagnostics", "This is no JSON object"), {
            QT_TRANSLATE_NOOP("diagnostics", "this is not a JSON object"),
            QT_TRANSLATE_NOOP("diagnostics", "this is not JSON"),
            QT_TRANSLATE_NOOP("diagnostics", "Write it like {\"%1\": \"…\"}."),
            QT_TRANSLATE_NOOP("diagnostics", "the configuration is not a JSON object"),
            QT_TRANSLATE_NOOP("diagnostics", "the configuration is not JSON text"),
            QT_TRANSLATE_NOOP("diagnostics", "Give an object of option names and values."),
        }},
        {"config.bad-text", QT_TRANSLATE_NOOP("diagnostics", "A text does not go"), {
            QT_TRANSLATE_NOOP("diagnostics", "the text has control characters or is not UTF-8"),
            QT_TRANSLATE_NOOP("diagnostics", "Give it as one line of UTF-8 text."),
            QT_TRANSLATE_NOOP("diagnostics", "an entry has no key"),
            QT_TRANSLATE_NOOP("diagnostics", "Every entry needs a key."),
        }},
        {"config.conflict", QT_TRANSLATE_NOOP("diagnostics", "Options contradict each other"), {
            QT_TRANSLATE_NOOP("diagnostics", "auto_select_ipus and select_ipus are both given"),
            QT_TRANSLATE_NOOP("diagnostics", "Give only one of them."),
            QT_TRANSLATE_NOOP("diagnostics", "a device id is given twice"),
            QT_TRANSLATE_NOOP("diagnostics", "Give each id once."),
            QT_TRANSLATE_NOOP("diagnostics", "the software model has no device ids"),
            QT_TRANSLATE_NOOP("diagnostics", "Use auto_select_ipus with the software model."),
            QT_TRANSLATE_NOOP("diagnostics", "the group has no replica"),
            QT_TRANSLATE_NOOP("diagnostics", "Give 1 or more."),
            QT_TRANSLATE_NOOP("diagnostics", "distributed batch norm does not work together with IO tiles"),
            QT_TRANSLATE_NOOP("diagnostics", "Set it to 1, or io_tiles.num_io_tiles to 0."),
            QT_TRANSLATE_NOOP("diagnostics", "groups of %1 do not divide %2 replicas"),
            QT_TRANSLATE_NOOP("diagnostics", "groups of %1 do not divide %2 replica"),
            QT_TRANSLATE_NOOP("diagnostics", "Give a divisor of the number of replicas."),
            QT_TRANSLATE_NOOP("diagnostics", "process %1 of %2 does not exist"),
            QT_TRANSLATE_NOOP("diagnostics", "Give 0 to %1."),
            QT_TRANSLATE_NOOP("diagnostics", "replicas cannot be distributed over processes on the software model"),
            QT_TRANSLATE_NOOP("diagnostics", "Set it to 0, or use a device."),
            QT_TRANSLATE_NOOP("diagnostics", "there are no IO tiles to place operations on"),
            QT_TRANSLATE_NOOP("diagnostics", "Set io_tiles.num_io_tiles to 1 to 192."),
            QT_TRANSLATE_NOOP("diagnostics", "%1 does not say what to compile for"),
            QT_TRANSLATE_NOOP("diagnostics", "Set it to ipu1, ipu2 or ipu21."),
            QT_TRANSLATE_NOOP("diagnostics", "with %1 the device itself says its version"),
            QT_TRANSLATE_NOOP("diagnostics", "Leave it empty, or set device_connection.type to PRE_COMPILE or NEVER."),
            QT_TRANSLATE_NOOP("diagnostics", "the software model has no version"),
            QT_TRANSLATE_NOOP("diagnostics", "Set it to ipu1 or ipu2."),
            QT_TRANSLATE_NOOP("diagnostics", "no data is synthetic"),
            QT_TRANSLATE_NOOP("diagnostics", "Add --use_synthetic_data or --synthetic_data_categories, or leave it out."),
        }},
        {"config.deprecated", QT_TRANSLATE_NOOP("diagnostics", "An option is deprecated"), {
            QT_TRANSLATE_NOOP("diagnostics", "this option is deprecated"),
        }},
        {"config.device-size", QT_TRANSLATE_NOOP("diagnostics", "There is no device of that size"), {
            QT_TRANSLATE_NOOP("diagnostics", "a device cannot have %1 IPUs"),
            QT_TRANSLATE_NOOP("diagnostics", "The number of IPUs of a device is a power of two."),
            QT_TRANSLATE_NOOP("diagnostics", "a system cannot have %1 IPUs"),
            QT_TRANSLATE_NOOP("diagnostics", "Give a number from 1 to %1."),
            QT_TRANSLATE_NOOP("diagnostics", "no device has %1 IPUs: their number is a power of two"),
            QT_TRANSLATE_NOOP("diagnostics", "Give %1 or %2."),
        }},
        {"config.flag-syntax", QT_TRANSLATE_NOOP("diagnostics", "A flag is written wrongly"), {
            QT_TRANSLATE_NOOP("diagnostics", "the quote at character %1 is not closed"),
            QT_TRANSLATE_NOOP("diagnostics", "Close it, or remove it."),
            QT_TRANSLATE_NOOP("diagnostics", "\"%1\" does not start with --"),
            QT_TRANSLATE_NOOP("diagnostics", "Write --name or --name=value."),
            QT_TRANSLATE_NOOP("diagnostics", "the value is missing"),
            QT_TRANSLATE_NOOP("diagnostics", "Write --%1=VALUE; it must be %2."),
        }},
        {"config.ignored-on-model", QT_TRANSLATE_NOOP("diagnostics", "The software model ignores an option"), {
            QT_TRANSLATE_NOOP("diagnostics", "the software model ignores traps, NaN on overflow and stochastic rounding"),
            QT_TRANSLATE_NOOP("diagnostics", "Use a device to have them."),
        }},
        {"config.is-category", QT_TRANSLATE_NOOP("diagnostics", "This is a group of options"), {
            QT_TRANSLATE_NOOP("diagnostics", "this is a category of options, not an option"),
            QT_TRANSLATE_NOOP("diagnostics", "Name one option in it, for example %1."),
            QT_TRANSLATE_NOOP("diagnostics", "Name one option in it."),
            QT_TRANSLATE_NOOP("diagnostics", "Give an object with its options."),
        }},
        {"config.log-level", QT_TRANSLATE_NOOP("diagnostics", "A log level is written wrongly"), {
            QT_TRANSLATE_NOOP("diagnostics", "\"%1\" is not a verbose level"),
            QT_TRANSLATE_NOOP("diagnostics", "Give an integer of at least 0."),
            QT_TRANSLATE_NOOP("diagnostics", "\"%1\" has no level"),
            QT_TRANSLATE_NOOP("diagnostics", "Write COMPONENT=LEVEL, for example compiler=DEBUG or all=INFO."),
            QT_TRANSLATE_NOOP("diagnostics", "Write file=level,file=level."),
            QT_TRANSLATE_NOOP("diagnostics", "\"%1\" is not a log level"),
            QT_TRANSLATE_NOOP("diagnostics", "\"%1\" is not a component that logs"),
        }},
        {"config.missing-options", QT_TRANSLATE_NOOP("diagnostics", "Options are missing"), {
            QT_TRANSLATE_NOOP("diagnostics", "%1 options are missing and keep their values: %2"),
            QT_TRANSLATE_NOOP("diagnostics", "%1 option is missing and keeps its value: %2"),
        }},
        {"config.idle-flag", QT_TRANSLATE_NOOP("diagnostics", "This flag has no effect here"), {
            QT_TRANSLATE_NOOP("diagnostics", "this flag is of the software model, and the program is not compiled for it."),
            QT_TRANSLATE_NOOP("diagnostics", "Add --use_ipu_model, or set the tiles in system.target."),
            QT_TRANSLATE_NOOP("diagnostics", "ipu_config.ipu_model.tiles_per_ipu is set, and wins."),
            QT_TRANSLATE_NOOP("diagnostics", "Set only one of the two."),
            QT_TRANSLATE_NOOP("diagnostics", "the program attaches to its device at once: this flag only says how to wait for one."),
            QT_TRANSLATE_NOOP("diagnostics", "Set ipu_config.device_connection.type to ON_DEMAND."),
        }},
        {"config.idle-option", QT_TRANSLATE_NOOP("diagnostics", "This option has no effect here"), {
            QT_TRANSLATE_NOOP("diagnostics", "this option is of the software model, and the program is not compiled for it."),
            QT_TRANSLATE_NOOP("diagnostics", "Set TF_POPLAR_FLAGS=--use_ipu_model, or the machine in system.target."),
        }},
        {"config.no-effect-yet", QT_TRANSLATE_NOOP("diagnostics", "This has no effect yet"), {
            QT_TRANSLATE_NOOP("diagnostics", "this variable is set but nothing here reads it"),
            QT_TRANSLATE_NOOP("diagnostics", "the category %1 has no effect yet: nothing streams it"),
            QT_TRANSLATE_NOOP("diagnostics", "this key is kept but has no effect yet in this version"),
            QT_TRANSLATE_NOOP("diagnostics", "this option is kept but has no effect yet in this version"),
            QT_TRANSLATE_NOOP("diagnostics", "the value %1 is kept but has no effect yet in this version"),
            QT_TRANSLATE_NOOP("diagnostics", "of what this option turns on, only %1 has an effect yet in this version"),
        }},
        {"config.no-such-device", QT_TRANSLATE_NOOP("diagnostics", "The system has no such device"), {
            QT_TRANSLATE_NOOP("diagnostics", "the system has no device with %1 IPUs for %2; it has %3 IPUs"),
            QT_TRANSLATE_NOOP("diagnostics", "the system has no device with %1 IPUs for %2; it has %3 IPU"),
            QT_TRANSLATE_NOOP("diagnostics", "Give a power of two that the system holds; `tilewright devices` lists them."),
            QT_TRANSLATE_NOOP("diagnostics", "the system has no device id %1 for %2"),
            QT_TRANSLATE_NOOP("diagnostics", "Its ids are 0 to %1; `tilewright devices` lists them."),
        }},
        {"config.no-such-key", QT_TRANSLATE_NOOP("diagnostics", "An entry is not set"), {
            QT_TRANSLATE_NOOP("diagnostics", "this entry is not set"),
            QT_TRANSLATE_NOOP("diagnostics", "Set it first, or read the whole option."),
        }},
        {"config.not-allowed", QT_TRANSLATE_NOOP("diagnostics", "A value is not allowed"), {
            QT_TRANSLATE_NOOP("diagnostics", "\"%1\" is not a category of data"),
            QT_TRANSLATE_NOOP("diagnostics", "\"%1\" is no way to fill tensors"),
            QT_TRANSLATE_NOOP("diagnostics", "It must be uniform, normal or a number."),
            QT_TRANSLATE_NOOP("diagnostics", "\"%1\" is not one of its values"),
            QT_TRANSLATE_NOOP("diagnostics", "\"%1\" is not a type of partial results"),
            QT_TRANSLATE_NOOP("diagnostics", "\"%1\" is not a selection order"),
            QT_TRANSLATE_NOOP("diagnostics", "It must be one of %1."),
        }},
        {"config.note", QT_TRANSLATE_NOOP("diagnostics", "About the configuration"), {
            QT_TRANSLATE_NOOP("diagnostics", "%1 is rounded up to %2"),
            QT_TRANSLATE_NOOP("diagnostics", "%1 tiles of each IPU are reserved for transfers"),
        }},
        {"config.out-of-range", QT_TRANSLATE_NOOP("diagnostics", "A value is out of its range"), {
            QT_TRANSLATE_NOOP("diagnostics", "%1 is out of range"),
            QT_TRANSLATE_NOOP("diagnostics", "Give a share of the tile's memory above 0 up to 1, for example 0.6."),
        }},
        {"config.reconfigured", QT_TRANSLATE_NOOP("diagnostics", "The configuration is reset"), {
            QT_TRANSLATE_NOOP("diagnostics", "the present configuration is reset: running programs are waited for, devices are reset and compiled programs in memory are dropped"),
        }},
        {"config.several-devices", QT_TRANSLATE_NOOP("diagnostics", "Several devices are asked for"), {
            QT_TRANSLATE_NOOP("diagnostics", "%1 asks for %2 devices, and a project runs on one, /device:IPU:0"),
            QT_TRANSLATE_NOOP("diagnostics", "Give one device id: replicas and pipeline stages share the IPUs of one device."),
            QT_TRANSLATE_NOOP("diagnostics", "Give one number of IPUs: replicas and pipeline stages share the IPUs of one device."),
        }},
        {"config.shards-do-not-divide", QT_TRANSLATE_NOOP("diagnostics", "The IPUs of a replica do not divide those of the device"), {
            QT_TRANSLATE_NOOP("diagnostics", "the device has %1 IPUs and the model needs %2 per replica"),
            QT_TRANSLATE_NOOP("diagnostics", "The number per replica must divide the number of IPUs."),
        }},
        {"config.unknown-key", QT_TRANSLATE_NOOP("diagnostics", "A key is not known"), {
            QT_TRANSLATE_NOOP("diagnostics", "nothing here logs for \"%1\""),
            QT_TRANSLATE_NOOP("diagnostics", "Components are %1."),
            QT_TRANSLATE_NOOP("diagnostics", "this key is not known and has no effect"),
        }},
        {"config.unknown-option", QT_TRANSLATE_NOOP("diagnostics", "There is no such option"), {
            QT_TRANSLATE_NOOP("diagnostics", "this flag was removed"),
            QT_TRANSLATE_NOOP("diagnostics", "there is no option of this name"),
        }},
        {"config.wrong-type", QT_TRANSLATE_NOOP("diagnostics", "A value is of another kind"), {
            QT_TRANSLATE_NOOP("diagnostics", "%1 is not text"),
            QT_TRANSLATE_NOOP("diagnostics", "An entry of a dictionary option must be text."),
            QT_TRANSLATE_NOOP("diagnostics", "%1 is not of its type"),
            QT_TRANSLATE_NOOP("diagnostics", "%1 is not a count"),
            QT_TRANSLATE_NOOP("diagnostics", "It must be an integer of at least 0 or %1."),
            QT_TRANSLATE_NOOP("diagnostics", "%1 cannot be an entry of a dictionary option"),
            QT_TRANSLATE_NOOP("diagnostics", "Give text, a number, true or false."),
            QT_TRANSLATE_NOOP("diagnostics", "%1 is not a number"),
        }},
        {"target.option", QT_TRANSLATE_NOOP("diagnostics", "An option of the target does not go"), {
            QT_TRANSLATE_NOOP("diagnostics", "a target has no option '%1'."),
            QT_TRANSLATE_NOOP("diagnostics", "Options: tiles, ipus, model (as in 'gc200:tiles=8')."),
            QT_TRANSLATE_NOOP("diagnostics", "option '%1' needs a whole number."),
            QT_TRANSLATE_NOOP("diagnostics", "For example '%1=4'."),
            QT_TRANSLATE_NOOP("diagnostics", "tiles=%1 is outside 1 to %2 of %3."),
            QT_TRANSLATE_NOOP("diagnostics", "ipus=%1 is outside 1 to 64."),
            QT_TRANSLATE_NOOP("diagnostics", "Choose a number in that range."),
            QT_TRANSLATE_NOOP("diagnostics", "model is 0 or 1."),
        }},
        {"target.unknown", QT_TRANSLATE_NOOP("diagnostics", "There is no such target"), {
            QT_TRANSLATE_NOOP("diagnostics", "no target is called '%1'."),
            QT_TRANSLATE_NOOP("diagnostics", "Targets: %1."),
        }},
        {"device.busy", QT_TRANSLATE_NOOP("diagnostics", "All matching devices are busy"), {
            QT_TRANSLATE_NOOP("diagnostics", "%1 expects %2 of %3, and all devices that match are busy: %4."),
            QT_TRANSLATE_NOOP("diagnostics", "Stop that process or wait for its end ('tilewright monitor' shows it), choose another target, or raise the time to wait (on_demand_device_timeout)."),
            QT_TRANSLATE_NOOP("diagnostics", "Stop that process or wait for its end ('tilewright monitor' shows it), choose another target, or set ipu_config.device_connection.type to ON_DEMAND to wait."),
        }},
        {"device.timeout", QT_TRANSLATE_NOOP("diagnostics", "No device became free in time"), {}},
        {"device.count", QT_TRANSLATE_NOOP("diagnostics", "The system has too few IPUs"), {
            QT_TRANSLATE_NOOP("diagnostics", "no device with %1 IPUs for /device:IPU:0: %2 has %3."),
            QT_TRANSLATE_NOOP("diagnostics", "Choose a larger system.target; `tilewright devices` lists the devices."),
            QT_TRANSLATE_NOOP("diagnostics", "%1 has no device with %2 for %3."),
            QT_TRANSLATE_NOOP("diagnostics", "Its devices have %1 IPUs; 'tilewright devices' lists them."),
            QT_TRANSLATE_NOOP("diagnostics", "Its devices have %1 IPU; 'tilewright devices' lists them."),
        }},
        {"device.id", QT_TRANSLATE_NOOP("diagnostics", "There is no device of that number"), {
            QT_TRANSLATE_NOOP("diagnostics", "%1 has no device with id %2."),
            QT_TRANSLATE_NOOP("diagnostics", "the system of %1 has no device with id %2."),
            QT_TRANSLATE_NOOP("diagnostics", "Its ids are 0 to %1; 'tilewright devices' lists them."),
        }},
        {"device.never", QT_TRANSLATE_NOOP("diagnostics", "The connection to the device only compiles"), {
            QT_TRANSLATE_NOOP("diagnostics", "the program cannot be executed: the device connection is of type NEVER, which only compiles."),
            QT_TRANSLATE_NOOP("diagnostics", "Set ipu_config.device_connection.type to ALWAYS or ON_DEMAND."),
        }},
        {"device.poll-time", QT_TRANSLATE_NOOP("diagnostics", "The poll time is too short"), {
            QT_TRANSLATE_NOOP("diagnostics", "the poll time of %1 ms is too short."),
            QT_TRANSLATE_NOOP("diagnostics", "It is at least %1 ms."),
        }},
        {"device.pre-compile", QT_TRANSLATE_NOOP("diagnostics", "The program was only compiled"), {
            QT_TRANSLATE_NOOP("diagnostics", "the program was compiled into the cache; nothing runs with PRE_COMPILE."),
        }},
        {"device.registry", QT_TRANSLATE_NOOP("diagnostics", "The registry of running programs cannot be used"), {
            QT_TRANSLATE_NOOP("diagnostics", "the run registry of the emulated devices cannot be used: %1"),
            QT_TRANSLATE_NOOP("diagnostics", "Set TILEWRIGHT_RUN_DIR to a folder that you can write to."),
        }},
        {"device.state", QT_TRANSLATE_NOOP("diagnostics", "A file of the registry is damaged"), {
            QT_TRANSLATE_NOOP("diagnostics", "a state file is not JSON."),
            QT_TRANSLATE_NOOP("diagnostics", "a state file was written by a newer version."),
            QT_TRANSLATE_NOOP("diagnostics", "a state file is damaged: %1."),
        }},
        {"device.waiting", QT_TRANSLATE_NOOP("diagnostics", "Waiting for a device"), {
            QT_TRANSLATE_NOOP("diagnostics", "waiting for a free device: %1"),
        }},
    };
    return words;
}

} // namespace tilewright::views
