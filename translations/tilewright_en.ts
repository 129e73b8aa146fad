<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>Palette</name>
    <message numerus="yes">
        <location filename="../app/gui/palette_entries.cpp" line="+105"/>
        <source>Propose %n pipeline stage(s)</source>
        <translation>
            <numerusform>Propose %n pipeline stage</numerusform>
            <numerusform>Propose %n pipeline stages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>figure</name>
    <message numerus="yes">
        <location filename="../app/gui/figure.cpp" line="+117"/>
        <source>%1, %Ln IPU(s)</source>
        <translation>
            <numerusform>%1, %Ln IPU</numerusform>
            <numerusform>%1, %Ln IPUs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::app::ConsoleStrip</name>
    <message numerus="yes">
        <location filename="../app/gui/console_strip.cpp" line="+92"/>
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+0"/>
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::app::FitMeter</name>
    <message numerus="yes">
        <location filename="../app/gui/fit_meter.cpp" line="+90"/>
        <source>%n more IPU(s)</source>
        <translation>
            <numerusform>%n more IPU</numerusform>
            <numerusform>%n more IPUs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::app::MainWindow</name>
    <message numerus="yes">
        <location filename="../app/gui/main_window_files.cpp" line="+249"/>
        <source>It was never saved: Discard also deletes its %n run(s), with reports and weights.</source>
        <translation>
            <numerusform>It was never saved: Discard also deletes its %n run, with report and weights.</numerusform>
            <numerusform>It was never saved: Discard also deletes its %n runs, with reports and weights.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::app::StartPage</name>
    <message numerus="yes">
        <location filename="../app/gui/start_page.cpp" line="+104"/>
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+5"/>
        <source>%n IPU(s)</source>
        <translation>
            <numerusform>%n IPU</numerusform>
            <numerusform>%n IPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="-4"/>
        <source>%1 parameter(s)</source>
        <translation>
            <numerusform>%1 parameter</numerusform>
            <numerusform>%1 parameters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+181"/>
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::app::StatusStrip</name>
    <message numerus="yes">
        <location filename="../app/gui/status_strip.cpp" line="+117"/>
        <source>%1 · %n IPU(s) · %2 MHz</source>
        <translation>
            <numerusform>%1 · %n IPU · %2 MHz</numerusform>
            <numerusform>%1 · %n IPUs · %2 MHz</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::AddBox</name>
    <message numerus="yes">
        <location filename="../views/canvas/add_box.cpp" line="+124"/>
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+3"/>
        <source>%1: output %2, %3 parameter(s)</source>
        <translation>
            <numerusform>%1: output %2, %3 parameter</numerusform>
            <numerusform>%1: output %2, %3 parameters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::BspCanvas</name>
    <message numerus="yes">
        <location filename="../views/execution/bsp_canvas.cpp" line="+43"/>
        <source>%1: %Ln tiles in rows, phases of time in columns</source>
        <translation>
            <numerusform>%1: %Ln tile in rows, phases of time in columns</numerusform>
            <numerusform>%1: %Ln tiles in rows, phases of time in columns</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::CanvasActions</name>
    <message numerus="yes">
        <location filename="../views/canvas/canvas_actions.cpp" line="+73"/>
        <source>Add %n layer(s)</source>
        <translation>
            <numerusform>Add %n layer</numerusform>
            <numerusform>Add %n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+76"/>
        <source>%n layer(s) are “%1” now. A double click on its name folds it.</source>
        <translation>
            <numerusform>%n layer is “%1” now. A double click on its name folds it.</numerusform>
            <numerusform>%n layers are “%1” now. A double click on its name folds it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+11"/>
        <source>%n node(s) stay where they are put. “Unpin” in the menu lets them go.</source>
        <translation>
            <numerusform>%n node stays where it is put. “Unpin” in the menu lets it go.</numerusform>
            <numerusform>%n nodes stay where they are put. “Unpin” in the menu lets them go.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+41"/>
        <source>Remove %n layer(s)</source>
        <translation>
            <numerusform>Remove %n layer</numerusform>
            <numerusform>Remove %n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+14"/>
        <source>%n layer(s) copied as Keras JSON.</source>
        <translation>
            <numerusform>%n layer copied as Keras JSON.</numerusform>
            <numerusform>%n layers copied as Keras JSON.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+8"/>
        <source>Paste %n layer(s)</source>
        <translation>
            <numerusform>Paste %n layer</numerusform>
            <numerusform>Paste %n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+11"/>
        <source>Duplicate %n layer(s)</source>
        <translation>
            <numerusform>Duplicate %n layer</numerusform>
            <numerusform>Duplicate %n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+34"/>
        <source>%n node(s) depend on it.</source>
        <translation>
            <numerusform>%n node depend on it.</numerusform>
            <numerusform>%n nodes depend on it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>It depends on %n node(s).</source>
        <translation>
            <numerusform>It depends on %n node.</numerusform>
            <numerusform>It depends on %n nodes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/canvas/canvas_menu.cpp" line="+134"/>
        <source>%n connection(s): unfold the group to edit them</source>
        <translation>
            <numerusform>%n connection: unfold the group to edit them</numerusform>
            <numerusform>%n connections: unfold the group to edit them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+114"/>
        <source>%n stage(s), work shared evenly</source>
        <translation>
            <numerusform>%n stage, work shared evenly</numerusform>
            <numerusform>%n stages, work shared evenly</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/canvas/canvas_actions.cpp" line="-111"/>
        <source>Move %n node(s)</source>
        <translation>
            <numerusform>Move %n node</numerusform>
            <numerusform>Move %n nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::CanvasWidget</name>
    <message numerus="yes">
        <location filename="../views/canvas/canvas_widget.cpp" line="+292"/>
        <source>%n connection(s)</source>
        <translation>
            <numerusform>%n connection</numerusform>
            <numerusform>%n connections</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+47"/>
        <source>%n node(s) selected</source>
        <translation>
            <numerusform>%n node selected</numerusform>
            <numerusform>%n nodes selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+3"/>
        <source>%n layer(s). Arrow keys walk along connections, Tab adds a layer.</source>
        <translation>
            <numerusform>%n layer. Arrow keys walk along connections, Tab adds a layer.</numerusform>
            <numerusform>%n layers. Arrow keys walk along connections, Tab adds a layer.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::ComparePane</name>
    <message numerus="yes">
        <location filename="../views/runs/compare_pane.cpp" line="+226"/>
        <source>%Ln difference(s): from “%1” to “%2”</source>
        <translation>
            <numerusform>%Ln difference: from “%1” to “%2”</numerusform>
            <numerusform>%Ln differences: from “%1” to “%2”</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="-1"/>
        <source>%Ln difference(s) of %1 runs from “%2”</source>
        <translation>
            <numerusform>%Ln difference of %1 runs from “%2”</numerusform>
            <numerusform>%Ln differences of %1 runs from “%2”</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+4"/>
        <source>%Ln more chosen run(s) not shown: so many would look alike</source>
        <translation>
            <numerusform>%Ln more chosen run not shown: so many would look alike</numerusform>
            <numerusform>%Ln more chosen runs not shown: so many would look alike</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::DurationsPane</name>
    <message numerus="yes">
        <location filename="../views/operations/tiles_pane.cpp" line="+285"/>
        <source>%Ln step(s)</source>
        <translation>
            <numerusform>%Ln step</numerusform>
            <numerusform>%Ln steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>%Ln tile(s)</source>
        <translation>
            <numerusform>%Ln tile</numerusform>
            <numerusform>%Ln tiles</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::EvidencePane</name>
    <message numerus="yes">
        <location filename="../views/insights/evidence_pane.cpp" line="+92"/>
        <source>The first %Ln row(s).</source>
        <translation>
            <numerusform>The first row.</numerusform>
            <numerusform>The first %Ln rows.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::ExecutionPanel</name>
    <message numerus="yes">
        <location filename="../views/execution/execution_panel.cpp" line="+266"/>
        <source>The %n largest pairs of the run; %1 more between pairs the report has only as a sum.</source>
        <translation>
            <numerusform>The largest pair of the run; %1 more between pairs the report has only as a sum.</numerusform>
            <numerusform>The %n largest pairs of the run; %1 more between pairs the report has only as a sum.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+3"/>
        <source>The %n largest pairs of the run.</source>
        <translation>
            <numerusform>The largest pair of the run.</numerusform>
            <numerusform>The %n largest pairs of the run.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::LanesWidget</name>
    <message numerus="yes">
        <location filename="../views/time/lanes_widget.cpp" line="+160"/>
        <source>%Ln events here; the longest:</source>
        <translation>
            <numerusform>%Ln event here; the longest:</numerusform>
            <numerusform>%Ln events here; the longest:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="-51"/>
        <source>%Ln more lane(s)</source>
        <translation>
            <numerusform>%Ln more lane</numerusform>
            <numerusform>%Ln more lanes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::LivenessWidget</name>
    <message numerus="yes">
        <location filename="../views/liveness/liveness_widget.cpp" line="+182"/>
        <source>%1 vertex(es)</source>
        <translation>
            <numerusform>%1 vertex</numerusform>
            <numerusform>%1 vertices</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::LogView</name>
    <message numerus="yes">
        <location filename="../views/log/log_view.cpp" line="+148"/>
        <source>%Ln error(s)</source>
        <translation>
            <numerusform>%Ln error</numerusform>
            <numerusform>%Ln errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>%Ln warning(s)</source>
        <translation>
            <numerusform>%Ln warning</numerusform>
            <numerusform>%Ln warnings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+2"/>
        <source>%Ln line(s)</source>
        <translation>
            <numerusform>%Ln line</numerusform>
            <numerusform>%Ln lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::MachinePicture</name>
    <message numerus="yes">
        <location filename="../views/config/machine_picture.cpp" line="+36"/>
        <source>%Ln IPU(s)</source>
        <translation>
            <numerusform>%Ln IPU</numerusform>
            <numerusform>%Ln IPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+47"/>
        <source>%Ln tile(s) of %1</source>
        <translation>
            <numerusform>%Ln tile of %1</numerusform>
            <numerusform>%Ln tiles of %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::OperationsView</name>
    <message numerus="yes">
        <location filename="../views/operations/operations_view.cpp" line="+351"/>
        <source>%Ln operation(s)</source>
        <translation>
            <numerusform>%Ln operation</numerusform>
            <numerusform>%Ln operations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>%1 of %Ln operation(s)</source>
        <translation>
            <numerusform>%1 of %Ln operation</numerusform>
            <numerusform>%1 of %Ln operations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::OutlineView</name>
    <message numerus="yes">
        <location filename="../views/outline/outline_view.cpp" line="+104"/>
        <source>%n layer(s) · %1 param.</source>
        <translation>
            <numerusform>%n layer · %1 param.</numerusform>
            <numerusform>%n layers · %1 param.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+54"/>
        <source>Remove %n layer(s)</source>
        <translation>
            <numerusform>Remove %n layer</numerusform>
            <numerusform>Remove %n layers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::PaletteView</name>
    <message numerus="yes">
        <location filename="../views/palette/palette_view.cpp" line="+90"/>
        <source>%n class(es). Drag one onto the canvas.</source>
        <translation>
            <numerusform>%n class. Drag one onto the canvas.</numerusform>
            <numerusform>%n classes. Drag one onto the canvas.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::ParallelPage</name>
    <message numerus="yes">
        <location filename="../views/config/config_pages.cpp" line="+117"/>
        <source>%Ln micro-batch(es) are not a multiple of %1: this schedule cannot run.</source>
        <translation>
            <numerusform>%Ln micro-batch is not a multiple of %1: this schedule cannot run.</numerusform>
            <numerusform>%Ln micro-batches are not a multiple of %1: this schedule cannot run.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::PendingChanges</name>
    <message numerus="yes">
        <location filename="../views/config/pending_changes.cpp" line="+56"/>
        <source>%Ln change(s) not applied</source>
        <translation>
            <numerusform>%Ln change not applied</numerusform>
            <numerusform>%Ln changes not applied</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+6"/>
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::ProblemList</name>
    <message numerus="yes">
        <location filename="../views/advice/problem_list.cpp" line="+94"/>
        <source>%Ln more problem(s)</source>
        <translation>
            <numerusform>%Ln more problem</numerusform>
            <numerusform>%Ln more problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::ProgramView</name>
    <message numerus="yes">
        <location filename="../views/program/program_view.cpp" line="+208"/>
        <source>%Ln program step(s)</source>
        <translation>
            <numerusform>%Ln program step</numerusform>
            <numerusform>%Ln program steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>%1 of %Ln program step(s)</source>
        <translation>
            <numerusform>%1 of %Ln program step</numerusform>
            <numerusform>%1 of %Ln program steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::PropertyTable</name>
    <message numerus="yes">
        <location filename="../views/properties/property_table.cpp" line="+290"/>
        <source>%1 · %n changed</source>
        <translation>
            <numerusform>%1 · %n changed</numerusform>
            <numerusform>%1 · %n changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="-10"/>
        <source>%n field(s)</source>
        <translation>
            <numerusform>%n field</numerusform>
            <numerusform>%n fields</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::RunsView</name>
    <message numerus="yes">
        <location filename="../views/runs/runs_view.cpp" line="+420"/>
        <source>%Ln run(s)</source>
        <translation>
            <numerusform>%Ln run</numerusform>
            <numerusform>%Ln runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>%Ln compile(s) without a run</source>
        <translation>
            <numerusform>%Ln compile without a run</numerusform>
            <numerusform>%Ln compiles without a run</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>%Ln report(s)</source>
        <translation>
            <numerusform>%Ln report</numerusform>
            <numerusform>%Ln reports</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+11"/>
        <source>%Ln run(s) compared</source>
        <translation>
            <numerusform>%Ln run compared</numerusform>
            <numerusform>%Ln runs compared</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+0"/>
        <source>%Ln report(s) compared</source>
        <translation>
            <numerusform>%Ln report compared</numerusform>
            <numerusform>%Ln reports compared</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+5"/>
        <source>%Ln difference(s) from the first</source>
        <translation>
            <numerusform>%Ln difference from the first</numerusform>
            <numerusform>%Ln differences from the first</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>%Ln more not shown</source>
        <translation>
            <numerusform>%Ln more not shown</numerusform>
            <numerusform>%Ln more not shown</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::ScheduleWidget</name>
    <message numerus="yes">
        <location filename="../views/config/schedule_widget.cpp" line="+150"/>
        <source>What it receives is kept %n times at once.</source>
        <translation>
            <numerusform>What it receives is kept once.</numerusform>
            <numerusform>What it receives is kept %n times at once.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>Its activations are kept %n times at once.</source>
        <translation>
            <numerusform>Its activations are kept once.</numerusform>
            <numerusform>Its activations are kept %n times at once.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+2"/>
        <source>about %Ln cycle(s)</source>
        <translation>
            <numerusform>about %Ln cycle</numerusform>
            <numerusform>about %Ln cycles</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::SiliconPanel</name>
    <message numerus="yes">
        <location filename="../views/inspector/silicon_panel.cpp" line="+129"/>
        <source>%n exchange(s)</source>
        <translation>
            <numerusform>%n exchange</numerusform>
            <numerusform>%n exchanges</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::StepTimeChart</name>
    <message numerus="yes">
        <location filename="../views/execution/step_time_chart.cpp" line="+74"/>
        <source>%n call(s) took unusually long; click one to see what the host did.</source>
        <translation>
            <numerusform>%n call took unusually long; click it to see what the host did.</numerusform>
            <numerusform>%n calls took unusually long; click one to see what the host did.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+2"/>
        <source>The %n longest are marked.</source>
        <translation>
            <numerusform>The longest is marked.</numerusform>
            <numerusform>The %n longest are marked.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::SystemPage</name>
    <message numerus="yes">
        <location filename="../views/config/config_pages.cpp" line="+57"/>
        <source>%1, %Ln IPU(s) each</source>
        <translation>
            <numerusform>%1, an IPU each</numerusform>
            <numerusform>%1, %Ln IPUs each</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+7"/>
        <source>%Ln IPU(s) without work</source>
        <translation>
            <numerusform>%Ln IPU without work</numerusform>
            <numerusform>%Ln IPUs without work</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::UseHistogram</name>
    <message numerus="yes">
        <location filename="../views/insights/use_histogram.cpp" line="+92"/>
        <source>%Ln tile(s) use %1 to %2 (%3 to %4)</source>
        <translation>
            <numerusform>%Ln tile uses %1 to %2 (%3 to %4)</numerusform>
            <numerusform>%Ln tiles use %1 to %2 (%3 to %4)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::ValuesPane</name>
    <message numerus="yes">
        <location filename="../views/memory/values_pane.cpp" line="+134"/>
        <source> and %Ln tile(s) more</source>
        <translation>
            <numerusform> and %Ln tile more</numerusform>
            <numerusform> and %Ln tiles more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views</name>
    <message numerus="yes">
        <location filename="../views/session/selection.cpp" line="+406"/>
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/canvas/canvas_headline.cpp" line="+63"/>
        <source>%n IPU(s)</source>
        <translation>
            <numerusform>%n IPU</numerusform>
            <numerusform>%n IPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+2"/>
        <source>%n stage(s)</source>
        <translation>
            <numerusform>%n stage</numerusform>
            <numerusform>%n stages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/execution/pipeline_layout.cpp" line="+104"/>
        <source>%n stages</source>
        <translation>
            <numerusform>%n stages</numerusform>
            <numerusform>%n stages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/inspector/describe.cpp" line="+22"/>
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/modeledit/model_edits.cpp" line="+197"/>
        <source>%1 takes %n input(s), and “%2” has them already.</source>
        <translation>
            <numerusform>%1 takes %n input, and “%2” has them already.</numerusform>
            <numerusform>%1 takes %n inputs, and “%2” has them already.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/outline/project_lines.cpp" line="+56"/>
        <source>%n option(s) changed</source>
        <translation>
            <numerusform>%n option changed</numerusform>
            <numerusform>%n options changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>%n engine option(s)</source>
        <translation>
            <numerusform>%n engine option</numerusform>
            <numerusform>%n engine options</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/common/table_pane.cpp" line="+280"/>
        <source>%Ln row(s)</source>
        <translation>
            <numerusform>%Ln row</numerusform>
            <numerusform>%Ln rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>%1 of %Ln row(s)</source>
        <translation>
            <numerusform>%1 of %Ln row</numerusform>
            <numerusform>%1 of %Ln rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/advice/fix_trials.cpp" line="+57"/>
        <source>%n pipeline stage(s)</source>
        <translation>
            <numerusform>%n pipeline stage</numerusform>
            <numerusform>%n pipeline stages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+4"/>
        <location filename="../views/config/config_specs.cpp" line="+175"/>
        <location filename="../views/operations/op_describe.cpp" line="+34"/>
        <location filename="../views/session/selection.cpp" line="+17"/>
        <source>%Ln tile(s)</source>
        <translation>
            <numerusform>%Ln tile</numerusform>
            <numerusform>%Ln tiles</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/runs/compare_reports.cpp" line="+456"/>
        <source>%Ln difference(s)</source>
        <translation>
            <numerusform>%Ln difference</numerusform>
            <numerusform>%Ln differences</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+7"/>
        <source>the same cycles (modelled), %Ln difference(s)</source>
        <translation>
            <numerusform>the same cycles (modelled), %Ln difference</numerusform>
            <numerusform>the same cycles (modelled), %Ln differences</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/config/schedule_widget.cpp" line="-97"/>
        <location filename="../views/operations/op_describe.cpp" line="+82"/>
        <location filename="../views/wording/labels.cpp" line="+171"/>
        <source>%Ln step(s)</source>
        <translation>
            <numerusform>%Ln step</numerusform>
            <numerusform>%Ln steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/summary/summary_facts.cpp" line="+71"/>
        <source>%Ln step(s) in %1</source>
        <translation>
            <numerusform>%Ln step in %1</numerusform>
            <numerusform>%Ln steps in %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/memory/memory_headline.cpp" line="+54"/>
        <source>%Ln tile(s) over average by half</source>
        <translation>
            <numerusform>%Ln tile over average by half</numerusform>
            <numerusform>%Ln tiles over average by half</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+25"/>
        <source>%1 of %Ln tile(s) over the limit</source>
        <translation>
            <numerusform>%1 of %Ln tile over the limit</numerusform>
            <numerusform>%1 of %Ln tiles over the limit</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+11"/>
        <source>on %1 of %Ln tile(s)</source>
        <translation>
            <numerusform>on %1 of %Ln tile</numerusform>
            <numerusform>on %1 of %Ln tiles</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/properties/property_spec.cpp" line="+201"/>
        <source>%n pair(s) of whole numbers: before and after</source>
        <translation>
            <numerusform>%n pair of whole numbers: before and after</numerusform>
            <numerusform>%n pairs of whole numbers: before and after</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>%n whole number(s)</source>
        <translation>
            <numerusform>%n whole number</numerusform>
            <numerusform>%n whole numbers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/outline/project_lines.cpp" line="-29"/>
        <source>%n replica(s)</source>
        <translation>
            <numerusform>%n replica</numerusform>
            <numerusform>%n replicas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/operations/op_describe.cpp" line="-39"/>
        <source>%Ln product(s) of the weights</source>
        <translation>
            <numerusform>%Ln product of the weights</numerusform>
            <numerusform>%Ln products of the weights</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/config/config_specs.cpp" line="+4"/>
        <location filename="../views/inspector/layer_facts.cpp" line="+161"/>
        <source>%Ln option(s) changed</source>
        <translation>
            <numerusform>%Ln option changed</numerusform>
            <numerusform>%Ln options changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+2"/>
        <source>%Ln problem(s)</source>
        <translation>
            <numerusform>%Ln problem</numerusform>
            <numerusform>%Ln problems</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/console/console_text.cpp" line="+68"/>
        <location filename="../views/problems/problem_text.cpp" line="+18"/>
        <source>%Ln error(s)</source>
        <translation>
            <numerusform>%Ln error</numerusform>
            <numerusform>%Ln errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <location filename="../views/problems/problem_text.cpp" line="+1"/>
        <source>%Ln warning(s)</source>
        <translation>
            <numerusform>%Ln warning</numerusform>
            <numerusform>%Ln warnings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+2"/>
        <source>%Ln line(s)</source>
        <translation>
            <numerusform>%Ln line</numerusform>
            <numerusform>%Ln lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>%1 of %Ln line(s)</source>
        <translation>
            <numerusform>%1 of %Ln line</numerusform>
            <numerusform>%1 of %Ln lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/data/data_facts.cpp" line="+48"/>
        <source>%Ln class(es)</source>
        <translation>
            <numerusform>%Ln class</numerusform>
            <numerusform>%Ln classes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/execution/execution_facts.cpp" line="+201"/>
        <source>%Ln step(s), %1</source>
        <translation>
            <numerusform>%Ln step, %1</numerusform>
            <numerusform>%Ln steps, %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>%Ln sample(s)</source>
        <translation>
            <numerusform>%Ln sample</numerusform>
            <numerusform>%Ln samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/inspector/layer_facts.cpp" line="+7"/>
        <source>%Ln problem(s) keep the project from compiling.</source>
        <translation>
            <numerusform>%Ln problem keeps the project from compiling.</numerusform>
            <numerusform>%Ln problems keep the project from compiling.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/config/config_specs.cpp" line="-7"/>
        <location filename="../views/monitor/monitor_text.cpp" line="+35"/>
        <source>%Ln IPU(s)</source>
        <translation>
            <numerusform>%Ln IPU</numerusform>
            <numerusform>%Ln IPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/monitor/monitor_text.cpp" line="+1"/>
        <source>%Ln process(es)</source>
        <translation>
            <numerusform>%Ln process</numerusform>
            <numerusform>%Ln processes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/outline/project_lines.cpp" line="-1"/>
        <location filename="../views/plan/plan_figures.cpp" line="+57"/>
        <source>%Ln epoch(s)</source>
        <translation>
            <numerusform>%Ln epoch</numerusform>
            <numerusform>%Ln epochs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/problems/problem_text.cpp" line="+2"/>
        <source>%Ln note(s)</source>
        <translation>
            <numerusform>%Ln note</numerusform>
            <numerusform>%Ln notes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/program/program_describe.cpp" line="+208"/>
        <source>%1 program steps in %Ln function(s)</source>
        <translation>
            <numerusform>%1 program steps in %Ln function</numerusform>
            <numerusform>%1 program steps in %Ln functions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/training/config_card.cpp" line="+70"/>
        <source>%1, %Ln IPU(s)</source>
        <translation>
            <numerusform>%1, %Ln IPU</numerusform>
            <numerusform>%1, %Ln IPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/canvas/canvas_headline.cpp" line="-19"/>
        <source>%n error(s): %1</source>
        <translation>
            <numerusform>%n error: %1</numerusform>
            <numerusform>%n errors: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/canvas/canvas_scene.cpp" line="+55"/>
        <source>%n layer(s), folded</source>
        <translation>
            <numerusform>%n layer, folded</numerusform>
            <numerusform>%n layers, folded</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/compile/compile_picture.cpp" line="+130"/>
        <source>%1 vertex(es)</source>
        <translation>
            <numerusform>%1 vertex</numerusform>
            <numerusform>%1 vertices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+2"/>
        <source>%1 exchange(s)</source>
        <translation>
            <numerusform>%1 exchange</numerusform>
            <numerusform>%1 exchanges</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/config/schedule_widget.cpp" line="-1"/>
        <location filename="../views/inspector/layer_facts.cpp" line="-26"/>
        <source>%Ln stage(s)</source>
        <translation>
            <numerusform>%Ln stage</numerusform>
            <numerusform>%Ln stages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+0"/>
        <source>%Ln micro-batch(es)</source>
        <translation>
            <numerusform>%Ln micro-batch</numerusform>
            <numerusform>%Ln micro-batches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/console/console_text.cpp" line="-37"/>
        <source>%1 (%Ln time(s))</source>
        <translation>
            <numerusform>%1 (%Ln time)</numerusform>
            <numerusform>%1 (%Ln times)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/data/data_facts.cpp" line="-24"/>
        <source>%Ln number(s)</source>
        <translation>
            <numerusform>%Ln number</numerusform>
            <numerusform>%Ln numbers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+10"/>
        <source>unbalanced: class %1 has %2 sample(s)</source>
        <translation>
            <numerusform>unbalanced: class %1 has %2 sample</numerusform>
            <numerusform>unbalanced: class %1 has %2 samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+22"/>
        <location line="+4"/>
        <location line="+3"/>
        <location filename="../views/plan/plan_figures.cpp" line="+1"/>
        <source>%1 sample(s)</source>
        <translation>
            <numerusform>%1 sample</numerusform>
            <numerusform>%1 samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/wording/insight_rules.cpp" line="+140"/>
        <source>%Ln variable(s) of weights, activations and gradients are live there at the peak.</source>
        <translation>
            <numerusform>%Ln variable of weights, activations and gradients is live there at the peak.</numerusform>
            <numerusform>%Ln variables of weights, activations and gradients are live there at the peak.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+8"/>
        <source>It takes %1. The slowest of %Ln active tile(s) computes %2 each time; the others wait.</source>
        <translation>
            <numerusform>It takes %1. The slowest of %Ln active tile computes %2 each time; the others wait.</numerusform>
            <numerusform>It takes %1. The slowest of %Ln active tiles computes %2 each time; the others wait.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+9"/>
        <source>It takes %1 (%2, %Ln execution(s)) while the other tiles wait.</source>
        <translation>
            <numerusform>It takes %1 (%2, %Ln execution) while the other tiles wait.</numerusform>
            <numerusform>It takes %1 (%2, %Ln executions) while the other tiles wait.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+49"/>
        <source>They run %Ln time(s) and pay %1 of sync each: %2.</source>
        <translation>
            <numerusform>They run %Ln time and pay %1 of sync each: %2.</numerusform>
            <numerusform>They run %Ln times and pay %1 of sync each: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="-2"/>
        <source>%Ln compute set(s) are shorter than a barrier</source>
        <translation>
            <numerusform>%Ln compute set is shorter than a barrier</numerusform>
            <numerusform>%Ln compute sets are shorter than a barrier</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="-111"/>
        <source>%Ln of %1 tiles are over their limit.</source>
        <translation>
            <numerusform>%Ln of %1 tiles is over its limit.</numerusform>
            <numerusform>%Ln of %1 tiles are over their limit.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+120"/>
        <source>%1 in %Ln transfer(s) take %2 on IPU %3; the link alone would need %4.</source>
        <translation>
            <numerusform>%1 in %Ln transfer take %2 on IPU %3; the link alone would need %4.</numerusform>
            <numerusform>%1 in %Ln transfers take %2 on IPU %3; the link alone would need %4.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+17"/>
        <source>%1 in %Ln cop(ies) take %2 on IPU %3.</source>
        <translation>
            <numerusform>%1 in %Ln copy take %2 on IPU %3.</numerusform>
            <numerusform>%1 in %Ln copies take %2 on IPU %3.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+36"/>
        <source>With %Ln stage(s), all bubbles together are %1 of the pipeline&apos;s time.</source>
        <translation>
            <numerusform>With %Ln stage, all bubbles together are %1 of the pipeline&apos;s time.</numerusform>
            <numerusform>With %Ln stages, all bubbles together are %1 of the pipeline&apos;s time.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/wording/labels.cpp" line="+0"/>
        <source>%Ln step(s) so far</source>
        <translation>
            <numerusform>%Ln step so far</numerusform>
            <numerusform>%Ln steps so far</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/inspector/describe_memory.cpp" line="+51"/>
        <source>%1 element(s)</source>
        <translation>
            <numerusform>%1 element</numerusform>
            <numerusform>%1 elements</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/inspector/layer_facts.cpp" line="-46"/>
        <source> · %1 parameter(s) · output %2</source>
        <translation>
            <numerusform> · %1 parameter · output %2</numerusform>
            <numerusform> · %1 parameters · output %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+5"/>
        <source>%Ln layer(s)</source>
        <translation>
            <numerusform>%Ln layer</numerusform>
            <numerusform>%Ln layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source> · %1 parameter(s) together</source>
        <translation>
            <numerusform> · %1 parameter together</numerusform>
            <numerusform> · %1 parameters together</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+6"/>
        <source>%1 parameter(s)</source>
        <translation>
            <numerusform>%1 parameter</numerusform>
            <numerusform>%1 parameters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/inspector/what_if.cpp" line="+32"/>
        <source>%1%2 parameter(s)</source>
        <translation>
            <numerusform>%1%2 parameter</numerusform>
            <numerusform>%1%2 parameters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/memory/memory_tables.cpp" line="+181"/>
        <source>Bytes on %Ln tile(s)</source>
        <translation>
            <numerusform>Bytes on %Ln tile</numerusform>
            <numerusform>Bytes on %Ln tiles</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+36"/>
        <source>Vertices on %Ln tile(s)</source>
        <translation>
            <numerusform>Vertices on %Ln tile</numerusform>
            <numerusform>Vertices on %Ln tiles</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+21"/>
        <source>Code on %Ln tile(s)</source>
        <translation>
            <numerusform>Code on %Ln tile</numerusform>
            <numerusform>Code on %Ln tiles</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+32"/>
        <source>Received by %Ln tile(s)</source>
        <translation>
            <numerusform>Received by %Ln tile</numerusform>
            <numerusform>Received by %Ln tiles</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/operations/op_table.cpp" line="+319"/>
        <source>%Ln operation(s); the report holds no measured times of them</source>
        <translation>
            <numerusform>%Ln operation; the report holds no measured time of it</numerusform>
            <numerusform>%Ln operations; the report holds no measured times of them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/outline/project_lines.cpp" line="+3"/>
        <source>gradients of %n micro-batch(es)</source>
        <translation>
            <numerusform>gradients of %n micro-batch</numerusform>
            <numerusform>gradients of %n micro-batches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+10"/>
        <source>%Ln sample(s) at most</source>
        <translation>
            <numerusform>%Ln sample at most</numerusform>
            <numerusform>%Ln samples at most</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/advice/setting_fixes.cpp" line="+26"/>
        <source>Train on %1 sample(s)</source>
        <translation>
            <numerusform>Train on %1 sample</numerusform>
            <numerusform>Train on %1 samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="-4"/>
        <source>Use %Ln step(s) per execution</source>
        <translation>
            <numerusform>Use %Ln step per execution</numerusform>
            <numerusform>Use %Ln steps per execution</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/plan/plan_figures.cpp" line="-4"/>
        <source>%Ln loss(es)</source>
        <translation>
            <numerusform>%Ln loss</numerusform>
            <numerusform>%Ln losses</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+9"/>
        <source>%1 weight update(s)</source>
        <translation>
            <numerusform>%1 weight update</numerusform>
            <numerusform>%1 weight updates</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+31"/>
        <source>%1 sample(s) before the host hears of the device again</source>
        <translation>
            <numerusform>%1 sample before the host hears of the device again</numerusform>
            <numerusform>%1 samples before the host hears of the device again</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/program/program_describe.cpp" line="-129"/>
        <source>%1 vertex(es), %2 of state, %3 of code each tile</source>
        <translation>
            <numerusform>%1 vertex, %2 of state, %3 of code each tile</numerusform>
            <numerusform>%1 vertices, %2 of state, %3 of code each tile</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/properties/property_spec.cpp" line="+7"/>
        <source>one of %Ln name(s)</source>
        <translation>
            <numerusform>one of %Ln name</numerusform>
            <numerusform>one of %Ln names</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/runcontrol/run_controller.cpp" line="+178"/>
        <source>Training finished after %Ln step(s): loss %1.</source>
        <translation>
            <numerusform>Training finished after %Ln step: loss %1.</numerusform>
            <numerusform>Training finished after %Ln steps: loss %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/session/selection.cpp" line="-13"/>
        <source>%Ln operation(s)</source>
        <translation>
            <numerusform>%Ln operation</numerusform>
            <numerusform>%Ln operations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+2"/>
        <source>%Ln compute set(s)</source>
        <translation>
            <numerusform>%Ln compute set</numerusform>
            <numerusform>%Ln compute sets</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+3"/>
        <source>%Ln program step(s)</source>
        <translation>
            <numerusform>%Ln program step</numerusform>
            <numerusform>%Ln program steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+3"/>
        <source>%Ln variable(s)</source>
        <translation>
            <numerusform>%Ln variable</numerusform>
            <numerusform>%Ln variables</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+2"/>
        <source>%Ln vertex type(s)</source>
        <translation>
            <numerusform>%Ln vertex type</numerusform>
            <numerusform>%Ln vertex types</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/time/lanes_painter.cpp" line="+83"/>
        <source>%Ln event(s)</source>
        <translation>
            <numerusform>%Ln event</numerusform>
            <numerusform>%Ln events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/session/predicted_rows.cpp" line="+109"/>
        <source>%1 test sample(s)</source>
        <translation>
            <numerusform>%1 test sample</numerusform>
            <numerusform>%1 test samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>%1 validation sample(s)</source>
        <translation>
            <numerusform>%1 validation sample</numerusform>
            <numerusform>%1 validation samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>%1 training sample(s)</source>
        <translation>
            <numerusform>%1 training sample</numerusform>
            <numerusform>%1 training samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/session/project_tasks.cpp" line="+101"/>
        <source>Fused and tile mode agree over %Ln weight update(s)</source>
        <translation>
            <numerusform>Fused and tile mode agree over %Ln weight update</numerusform>
            <numerusform>Fused and tile mode agree over %Ln weight updates</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>Fused and tile mode differ over %Ln weight update(s)</source>
        <translation>
            <numerusform>Fused and tile mode differ over %Ln weight update</numerusform>
            <numerusform>Fused and tile mode differ over %Ln weight updates</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+39"/>
        <source>Nothing that was tried fits (%Ln compile(s))</source>
        <translation>
            <numerusform>Nothing that was tried fits (%Ln compile)</numerusform>
            <numerusform>Nothing that was tried fits (%Ln compiles)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+2"/>
        <source>Nothing that was tried is faster than the project as it is (%Ln compile(s))</source>
        <translation>
            <numerusform>Nothing that was tried is faster than the project as it is (%Ln compile)</numerusform>
            <numerusform>Nothing that was tried is faster than the project as it is (%Ln compiles)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+1"/>
        <source>The fastest of %Ln compile(s): %1 times as many samples a second</source>
        <translation>
            <numerusform>The fastest of %Ln compile: %1 times as many samples a second</numerusform>
            <numerusform>The fastest of %Ln compiles: %1 times as many samples a second</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/wording/insight_rules.cpp" line="-156"/>
        <source>Code must lie in the first %1 of a tile, while %2 of the tile are free elsewhere. %Ln tile(s) are like that.</source>
        <translation>
            <numerusform>Code must lie in the first %1 of a tile, while %2 of the tile are free elsewhere. %Ln tile is like that.</numerusform>
            <numerusform>Code must lie in the first %1 of a tile, while %2 of the tile are free elsewhere. %Ln tiles are like that.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location line="+131"/>
        <source>A step takes %1 (modelled), with %Ln step(s) per execution.</source>
        <translation>
            <numerusform>A step takes %1 (modelled), with %Ln step per execution.</numerusform>
            <numerusform>A step takes %1 (modelled), with %Ln steps per execution.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/insights/insight_list.cpp" line="+154"/>
        <source>%Ln insight(s)</source>
        <translation>
            <numerusform>%Ln insight</numerusform>
            <numerusform>%Ln insights</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/modeledit/document_edits.cpp" line="+105"/>
        <source>Propose %n stage(s)</source>
        <translation>
            <numerusform>Propose %n stage</numerusform>
            <numerusform>Propose %n stages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../views/session/playhead.cpp" line="+70"/>
        <source>%1 (%n superstep(s) back)</source>
        <translation>
            <numerusform>%1 (%n superstep back)</numerusform>
            <numerusform>%1 (%n supersteps back)</numerusform>
        </translation>
    </message>
</context>
</TS>
