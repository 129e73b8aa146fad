<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>HelpLibrary</name>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Tilewright builds a neural network, compiles it onto an emulated IPU and shows where every byte and every cycle went. All of this help is here, without a network.</source>
        <translation>Tilewright baut ein neuronales Netz, kompiliert es für eine emulierte IPU und zeigt, wo jedes Byte und jeder Takt bleibt. Diese ganze Hilfe ist hier, ohne Netz.</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>Lektionen</translation>
    </message>
    <message>
        <source>Concepts</source>
        <translation>Begriffe</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Nachschlagen</translation>
    </message>
    <message>
        <source>Short tours with real figures. Each step has a button that brings you where it happens.</source>
        <translation>Kurze Rundgänge mit echten Zahlen. Jeder Schritt hat einen Verweis, der Sie dorthin bringt, wo es geschieht.</translation>
    </message>
    <message>
        <source>The words of the field, each with what it means for your model.</source>
        <translation>Die Wörter des Fachs, jedes mit dem, was es für Ihr Modell bedeutet.</translation>
    </message>
    <message>
        <source>What each view shows, how to read it, and its keys.</source>
        <translation>Was jede Ansicht zeigt, wie man sie liest, und ihre Tasten.</translation>
    </message>
</context>
<context>
    <name>Message</name>
    <message>
        <source>cannot write the file: a folder has that name.</source>
        <translation>die Datei kann nicht geschrieben werden: ein Ordner heißt so.</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>cannot write the file: %1.</source>
        <translation>die Datei kann nicht geschrieben werden: %1.</translation>
    </message>
    <message>
        <source>the value is neither true nor false</source>
        <translation>der Wert ist weder true noch false</translation>
    </message>
    <message>
        <source>the value is not a whole number below 2^40</source>
        <translation>der Wert ist keine ganze Zahl unter 2^40</translation>
    </message>
    <message>
        <source>The file is damaged; write the report again.</source>
        <translation>Die Datei ist beschädigt; schreiben Sie den Bericht neu.</translation>
    </message>
    <message>
        <source>saving the weights</source>
        <translation>das Speichern der Gewichte</translation>
    </message>
    <message>
        <source>Choose another name, or remove it first.</source>
        <translation>Wählen Sie einen anderen Namen, oder entfernen Sie die Datei zuerst.</translation>
    </message>
    <message>
        <source>this report is being written</source>
        <translation>dieser Bericht wird gerade geschrieben</translation>
    </message>
    <message>
        <source>Wait for its run to end or choose another name.</source>
        <translation>Warten Sie das Ende seines Laufs ab, oder wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>the value is not a whole number of at least 0</source>
        <translation>der Wert ist keine ganze Zahl ab 0</translation>
    </message>
    <message>
        <source>a report must be a regular file: it is read while it grows</source>
        <translation>ein Bericht muss eine gewöhnliche Datei sein</translation>
    </message>
    <message>
        <source>the file exists and is not a report: writing the report would overwrite it</source>
        <translation>die Datei gibt es schon, und sie ist kein Bericht</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>train fit start learn</source>
        <translation>trainieren train fit start lernen</translation>
    </message>
    <message>
        <source>emulate exact tile mode</source>
        <translation>emulieren genau tile-modus</translation>
    </message>
    <message>
        <source>resume train on fit</source>
        <translation>fortsetzen weitertrainieren resume</translation>
    </message>
    <message>
        <source>build executable fit memory</source>
        <translation>übersetzen build executable speicher passt</translation>
    </message>
    <message>
        <source>preferences options theme language units</source>
        <translation>einstellungen optionen thema design sprache einheiten</translation>
    </message>
    <message>
        <source>tiles bytes floor plan address map</source>
        <translation>tiles bytes grundriss adressen speicher</translation>
    </message>
    <message>
        <source>timeline pipeline stages flame bsp exchange cycles profile</source>
        <translation>zeitachse timeline pipeline stufen stage flame bsp austausch takte profil</translation>
    </message>
    <message>
        <source>peak always live not always live variables</source>
        <translation>spitze peak immer live variablen</translation>
    </message>
    <message>
        <source>cycles roofline layers cost</source>
        <translation>takte roofline schichten kosten</translation>
    </message>
    <message>
        <source>history compare baseline</source>
        <translation>verlauf vergleichen vergleichsbasis</translation>
    </message>
    <message>
        <source>ipu config pipeline stages replicas target options</source>
        <translation>ipu config pipeline stufen stage replikas ziel target optionen</translation>
    </message>
    <message>
        <source>optimizer loss batch epochs metrics</source>
        <translation>optimierer loss batch epochen metriken</translation>
    </message>
    <message>
        <source>dataset samples</source>
        <translation>datensatz beispiele</translation>
    </message>
    <message>
        <source>findings advice recommendations</source>
        <translation>hinweise rat empfehlungen</translation>
    </message>
    <message>
        <source>add layer classes</source>
        <translation>schichten hinzufügen klassen</translation>
    </message>
    <message>
        <source>tutorial learn</source>
        <translation>einführung tutorial lernen</translation>
    </message>
    <message>
        <source>command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
    <message>
        <source>view</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Mode %1</source>
        <translation>Modus %1</translation>
    </message>
    <message>
        <source>mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>Arrangement %1</source>
        <translation>Anordnung %1</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>Theme: %1</source>
        <translation>Design: %1</translation>
    </message>
    <message>
        <source>appearance colours mode</source>
        <translation>aussehen farben theme modus</translation>
    </message>
    <message>
        <source>as the desktop</source>
        <translation>wie der Desktop</translation>
    </message>
    <message>
        <source>light</source>
        <translation>hell</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>dunkel</translation>
    </message>
    <message>
        <source>high contrast</source>
        <translation>hoher Kontrast</translation>
    </message>
    <message>
        <source>Language: %1</source>
        <translation>Sprache: %1</translation>
    </message>
    <message>
        <source>translation</source>
        <translation>übersetzung language</translation>
    </message>
    <message>
        <source>Bytes: %1</source>
        <translation>Bytes: %1</translation>
    </message>
    <message>
        <source>units</source>
        <translation>einheiten</translation>
    </message>
    <message>
        <source>binary (KiB, MiB)</source>
        <translation>binär (KiB, MiB)</translation>
    </message>
    <message>
        <source>decimal (kB, MB)</source>
        <translation>dezimal (kB, MB)</translation>
    </message>
    <message>
        <source>plain bytes</source>
        <translation>einzelne Bytes</translation>
    </message>
    <message>
        <source>Target: %1</source>
        <translation>Zielsystem: %1</translation>
    </message>
    <message>
        <source>target</source>
        <translation>Zielsystem</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>%1 hinzufügen</translation>
    </message>
    <message>
        <source>new layer</source>
        <translation>neue Schicht</translation>
    </message>
    <message>
        <source>insert layer</source>
        <translation>schicht einfügen</translation>
    </message>
    <message>
        <source>field</source>
        <translation>Feld</translation>
    </message>
    <message>
        <source>pipeline stage replica parallel</source>
        <translation>pipeline stufe stage replika parallel</translation>
    </message>
    <message>
        <source>option</source>
        <translation>Option</translation>
    </message>
    <message>
        <source>Run %1: %2</source>
        <translation>Lauf %1: %2</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Worst tile: %1</source>
        <translation>Vollstes Tile: %1</translation>
    </message>
    <message>
        <source>tile</source>
        <translation>Tile</translation>
    </message>
    <message>
        <source>fullest largest memory</source>
        <translation>voll größtes speicher worst</translation>
    </message>
    <message>
        <source>operation</source>
        <translation>Operation</translation>
    </message>
    <message>
        <source>variable</source>
        <translation>Variable</translation>
    </message>
    <message>
        <source>compute set</source>
        <translation>Compute-Set</translation>
    </message>
</context>
<context>
    <name>QAbstractSpinBox</name>
    <message>
        <source>&amp;Select All</source>
        <translation>&amp;Alles auswählen</translation>
    </message>
    <message>
        <source>&amp;Step up</source>
        <translation>Schritt auf&amp;wärts</translation>
    </message>
    <message>
        <source>Step &amp;down</source>
        <translation>Schritt a&amp;bwärts</translation>
    </message>
</context>
<context>
    <name>QDialogButtonBox</name>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
</context>
<context>
    <name>QLineEdit</name>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;Ausschneiden</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save All</source>
        <translation>Alles speichern</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>&amp;Ja</translation>
    </message>
    <message>
        <source>Yes to &amp;All</source>
        <translation>Ja für &amp;alle</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>&amp;Nein</translation>
    </message>
    <message>
        <source>N&amp;o to All</source>
        <translation>N&amp;ein für alle</translation>
    </message>
    <message>
        <source>Abort</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Ignore</source>
        <translation>Übergehen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Restore Defaults</source>
        <translation>Vorgaben wiederherstellen</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Ctrl</source>
        <translation>Strg</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Umschalt</translation>
    </message>
    <message>
        <source>Alt</source>
        <translation>Alt</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Rechts</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Hoch</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>Runter</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Pos1</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Backspace</source>
        <translation>Rücktaste</translation>
    </message>
</context>
<context>
    <name>QUndoGroup</name>
    <message>
        <source>Undo %1</source>
        <translation>%1 rückgängig machen</translation>
    </message>
    <message>
        <source>Redo %1</source>
        <translation>%1 wiederholen</translation>
    </message>
</context>
<context>
    <name>QUndoStack</name>
    <message>
        <source>Undo %1</source>
        <translation>%1 rückgängig machen</translation>
    </message>
    <message>
        <source>Redo %1</source>
        <translation>%1 wiederholen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
</context>
<context>
    <name>QWidgetTextControl</name>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;Ausschneiden</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;Link Location</source>
        <translation>Adresse des &amp;Verweises kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>ReferencePages</name>
    <message>
        <source>from %1 to %2</source>
        <translation>von %1 bis %2</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>mindestens %1</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>höchstens %1</translation>
    </message>
    <message>
        <source>It has no arguments.</source>
        <translation>Sie hat keine Argumente.</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>required</source>
        <translation>nötig</translation>
    </message>
    <message>
        <source>default %1</source>
        <translation>Vorgabe %1</translation>
    </message>
    <message>
        <source>one of %1</source>
        <translation>eines von %1</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Every layer a model can be built of, under its Keras name. Drag one from the palette onto the canvas.</source>
        <translation>Jede Schicht, aus der ein Modell bestehen kann, unter ihrem Keras-Namen. Ziehen Sie sie aus der Palette auf die Zeichenfläche.</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingänge</translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation>%1 oder mehr</translation>
    </message>
    <message>
        <source>Losses</source>
        <translation>Losses</translation>
    </message>
    <message>
        <source>What training makes smaller.</source>
        <translation>Was das Training kleiner macht.</translation>
    </message>
    <message>
        <source>Per sample</source>
        <translation>Je Beispiel</translation>
    </message>
    <message>
        <source>Also written</source>
        <translation>Auch geschrieben</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Labels</translation>
    </message>
    <message>
        <source>one class number for each prediction</source>
        <translation>eine Klassennummer für jede Vorhersage</translation>
    </message>
    <message>
        <source>of the prediction&apos;s shape</source>
        <translation>von der Form der Vorhersage</translation>
    </message>
    <message>
        <source>Optimizers</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>How weights change after each batch. The state an optimizer keeps lies beside the weights, on the same tiles.</source>
        <translation>Wie sich Gewichte nach jedem Batch ändern. Der Zustand, den ein Optimierer hält, liegt neben den Gewichten auf denselben Tiles.</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
    <message>
        <source>What is measured beside the loss and changes nothing.</source>
        <translation>Was neben dem Loss gemessen wird und nichts ändert.</translation>
    </message>
    <message>
        <source>Mean of</source>
        <translation>Mittel von</translation>
    </message>
    <message>
        <source>**This version keeps, saves and checks the option, but nothing reads it yet.**</source>
        <translation>**Diese Version behält, speichert und prüft die Option, aber nichts liest sie.**</translation>
    </message>
    <message>
        <source>**Deprecated.** %1</source>
        <translation>**Überholt.** %1</translation>
    </message>
    <message>
        <source>Written as</source>
        <translation>Geschrieben als</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>leer</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Changes the executable</source>
        <translation>Ändert das Executable</translation>
    </message>
    <message>
        <source>yes: the next run compiles again</source>
        <translation>ja: der nächste Lauf kompiliert neu</translation>
    </message>
    <message>
        <source>no: a compiled executable stays valid</source>
        <translation>nein: ein kompiliertes Executable bleibt gültig</translation>
    </message>
    <message>
        <source>(no effect yet)</source>
        <translation>(noch ohne Wirkung)</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>Maschinen</translation>
    </message>
    <message>
        <source>What a project can be compiled for. Add options in one word: `gc200:tiles=8`, `pod16:ipus=4`.</source>
        <translation>Wofür ein Projekt kompiliert werden kann. Optionen folgen im selben Wort: `gc200:tiles=8`, `pod16:ipus=4`.</translation>
    </message>
    <message>
        <source>IPUs</source>
        <translation>IPUs</translation>
    </message>
    <message>
        <source>Tiles of one IPU</source>
        <translation>Tiles einer IPU</translation>
    </message>
    <message>
        <source>Memory of one tile</source>
        <translation>Speicher eines Tiles</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 Byte</translation>
    </message>
    <message>
        <source>Room for code in a tile</source>
        <translation>Platz für Code in einem Tile</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Takt</translation>
    </message>
    <message>
        <source>%1 MHz</source>
        <translation>%1 MHz</translation>
    </message>
    <message>
        <source>Workers of one tile</source>
        <translation>Worker eines Tiles</translation>
    </message>
    <message>
        <source>Exchange of one tile</source>
        <translation>Austausch eines Tiles</translation>
    </message>
    <message>
        <source>%1 bytes in a cycle, each way</source>
        <translation>%1 Byte je Takt in jeder Richtung</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>Plain Keras on this computer: nothing is emulated, so there are no cycles and no tiles to look at.</source>
        <translation>Einfaches Keras auf diesem Rechner: Nichts wird emuliert, also gibt es weder Takte noch Tiles zu sehen.</translation>
    </message>
    <message>
        <source>Insight rules</source>
        <translation>Regeln der Hinweise</translation>
    </message>
    <message>
        <source>What the [Insights](view:insights) view looks for in every report, and when it speaks.</source>
        <translation>Wonach die Ansicht [Hinweise](view:insights) in jedem Bericht sucht und wann sie etwas sagt.</translation>
    </message>
    <message>
        <source>Version of the rule</source>
        <translation>Version der Regel</translation>
    </message>
    <message>
        <source>IPUConfig options</source>
        <translation>Optionen der IPUConfig</translation>
    </message>
    <message>
        <source>The options of a Keras-for-IPU configuration. Change them in [IPU configuration](view:config).</source>
        <translation>Die Optionen einer Konfiguration von Keras für die IPU. Zu ändern in der [IPU-Konfiguration](view:config).</translation>
    </message>
    <message>
        <source>Flags</source>
        <translation>Flags</translation>
    </message>
    <message>
        <source>Items of the environment variable `TF_POPLAR_FLAGS`.</source>
        <translation>Teile der Umgebungsvariablen `TF_POPLAR_FLAGS`.</translation>
    </message>
    <message>
        <source>Engine options</source>
        <translation>Engine-Optionen</translation>
    </message>
    <message>
        <source>Keys of `POPLAR_ENGINE_OPTIONS` and of `compilation_poplar_options`.</source>
        <translation>Schlüssel von `POPLAR_ENGINE_OPTIONS` und von `compilation_poplar_options`.</translation>
    </message>
    <message>
        <source>Target options</source>
        <translation>Target-Optionen</translation>
    </message>
    <message>
        <source>Keys of `POPLAR_TARGET_OPTIONS`.</source>
        <translation>Schlüssel von `POPLAR_TARGET_OPTIONS`.</translation>
    </message>
    <message>
        <source>Runtime options</source>
        <translation>Laufzeit-Optionen</translation>
    </message>
    <message>
        <source>Keys of `POPLAR_RUNTIME_OPTIONS`.</source>
        <translation>Schlüssel von `POPLAR_RUNTIME_OPTIONS`.</translation>
    </message>
    <message>
        <source>Learning-rate schedules</source>
        <translation>Verläufe der Lernrate</translation>
    </message>
    <message>
        <source>What may stand in place of a number for learning_rate. The device computes the rate of each update itself.</source>
        <translation>Was statt einer Zahl für learning_rate stehen kann. Das Gerät berechnet die Rate jeder Änderung selbst.</translation>
    </message>
    <message>
        <source>Rate after t updates</source>
        <translation>Rate nach t Änderungen</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>Beispiel</translation>
    </message>
</context>
<context>
    <name>edits</name>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;Ausschneiden</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>A&amp;lles auswählen</translation>
    </message>
</context>
<context>
    <name>figure</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message numerus="yes">
        <source>%1, %Ln IPU(s)</source>
        <translation>
            <numerusform>%1, %Ln IPU</numerusform>
            <numerusform>%1, %Ln IPUs</numerusform>
        </translation>
    </message>
    <message>
        <source>only the upper %1 of it</source>
        <translation>nur die oberen %1 davon</translation>
    </message>
    <message>
        <source>against %1</source>
        <translation>gegen %1</translation>
    </message>
</context>
<context>
    <name>modes</name>
    <message>
        <source>Build</source>
        <translation>Bauen</translation>
    </message>
    <message>
        <source>Model, training plan, data and configuration</source>
        <translation>Modell, Trainingsplan, Daten und Konfiguration</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Trainieren</translation>
    </message>
    <message>
        <source>A run while it is active</source>
        <translation>Was ein Lauf tut, während er läuft</translation>
    </message>
    <message>
        <source>Analyse</source>
        <translation>Auswerten</translation>
    </message>
    <message>
        <source>Where bytes and cycles go, and what to do about it</source>
        <translation>Wohin Bytes und Takte gehen und was sich daran ändern lässt</translation>
    </message>
    <message>
        <source>Present</source>
        <translation>Vorführen</translation>
    </message>
    <message>
        <source>One view in large type</source>
        <translation>Eine Ansicht in großer Schrift</translation>
    </message>
</context>
<context>
    <name>registry</name>
    <message>
        <source>Input</source>
        <translation>Eingang</translation>
    </message>
    <message>
        <source>Core</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>Aktivierung</translation>
    </message>
    <message>
        <source>Regularization</source>
        <translation>Regularisierung</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>Zusammenführung</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>Faltung</translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation>Pooling</translation>
    </message>
    <message>
        <source>Normalization</source>
        <translation>Normierung</translation>
    </message>
    <message>
        <source>Recurrent</source>
        <translation>Rekurrent</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>A tensor fed from outside, one batch per step.</source>
        <translation>Ein Tensor, der von außen gespeist wird, ein Batch je Schritt.</translation>
    </message>
    <message>
        <source>shape with the batch first; null: any batch</source>
        <translation>Form mit dem Batch vorn; null: beliebiger Batch</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>type of the data</source>
        <translation>Typ der Daten</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>dtype</translation>
    </message>
    <message>
        <source>always false on an IPU</source>
        <translation>auf einer IPU immer false</translation>
    </message>
    <message>
        <source>bool</source>
        <translation>bool</translation>
    </message>
    <message>
        <source>Fully connected: activation(input x kernel + bias), contracting the last axis.</source>
        <translation>Vollständig verbunden: Aktivierung(Eingang x Kernel + Bias), summiert über die letzte Achse.</translation>
    </message>
    <message>
        <source>number of outputs</source>
        <translation>Anzahl der Ausgänge</translation>
    </message>
    <message>
        <source>int</source>
        <translation>int</translation>
    </message>
    <message>
        <source>function on the result</source>
        <translation>Funktion auf dem Ergebnis</translation>
    </message>
    <message>
        <source>activation</source>
        <translation>Aktivierung</translation>
    </message>
    <message>
        <source>add a bias</source>
        <translation>einen Bias addieren</translation>
    </message>
    <message>
        <source>first values of the kernel [inputs, units]</source>
        <translation>erste Werte des Kernels [Eingänge, units]</translation>
    </message>
    <message>
        <source>initializer</source>
        <translation>Initialisierer</translation>
    </message>
    <message>
        <source>first values of the bias [units]</source>
        <translation>erste Werte des Bias [units]</translation>
    </message>
    <message>
        <source>penalty on the kernel</source>
        <translation>Strafterm auf den Kernel</translation>
    </message>
    <message>
        <source>regularizer</source>
        <translation>Regularisierer</translation>
    </message>
    <message>
        <source>penalty on the bias</source>
        <translation>Strafterm auf den Bias</translation>
    </message>
    <message>
        <source>penalty on the output</source>
        <translation>Strafterm auf den Ausgang</translation>
    </message>
    <message>
        <source>limit on the kernel</source>
        <translation>Beschränkung des Kernels</translation>
    </message>
    <message>
        <source>constraint</source>
        <translation>Beschränkung</translation>
    </message>
    <message>
        <source>limit on the bias</source>
        <translation>Beschränkung des Bias</translation>
    </message>
    <message>
        <source>Applies an activation function.</source>
        <translation>Wendet eine Aktivierungsfunktion an.</translation>
    </message>
    <message>
        <source>the function</source>
        <translation>die Funktion</translation>
    </message>
    <message>
        <source>In training, zeroes each element with probability rate and scales the rest by 1/(1-rate).</source>
        <translation>Setzt im Training jedes Element mit der Wahrscheinlichkeit rate auf 0 und skaliert den Rest mit 1/(1-rate).</translation>
    </message>
    <message>
        <source>share of elements dropped, 0 to below 1</source>
        <translation>Anteil der Elemente, die wegfallen, von 0 bis unter 1</translation>
    </message>
    <message>
        <source>float</source>
        <translation>float</translation>
    </message>
    <message>
        <source>shape of the mask; only null is supported</source>
        <translation>Form der Maske; nur null wird unterstützt</translation>
    </message>
    <message>
        <source>list of int</source>
        <translation>Liste von int</translation>
    </message>
    <message>
        <source>own seed; null: the training seed</source>
        <translation>eigener Startwert; null: der des Trainings</translation>
    </message>
    <message>
        <source>In training, zeroes each channel of a sample with probability rate and scales the rest by 1/(1-rate).</source>
        <translation>Setzt im Training jeden Kanal eines Beispiels mit der Wahrscheinlichkeit rate auf 0 und skaliert den Rest mit 1/(1-rate).</translation>
    </message>
    <message>
        <source>share that is dropped, 0 to below 1</source>
        <translation>Anteil, der wegfällt, von 0 bis unter 1</translation>
    </message>
    <message>
        <source>channels as the last axis or as the first after the batch</source>
        <translation>Kanäle als letzte Achse oder als erste hinter dem Batch</translation>
    </message>
    <message>
        <source>enum</source>
        <translation>enum</translation>
    </message>
    <message>
        <source>In training, adds normal noise of mean 0.</source>
        <translation>Addiert im Training normalverteiltes Rauschen mit Mittel 0.</translation>
    </message>
    <message>
        <source>standard deviation of the noise</source>
        <translation>Standardabweichung des Rauschens</translation>
    </message>
    <message>
        <source>In training, multiplies with normal noise of mean 1 and the deviation of a dropout of that rate.</source>
        <translation>Multipliziert im Training mit normalverteiltem Rauschen mit Mittel 1 und der Abweichung eines Dropouts dieser Rate.</translation>
    </message>
    <message>
        <source>In training, a dropout that keeps mean and variance of what SELU gives.</source>
        <translation>Im Training ein Dropout, das Mittel und Varianz dessen erhält, was SELU liefert.</translation>
    </message>
    <message>
        <source>Masks the steps of a sequence whose features all are one value, and makes them 0: layers behind that take masks leave them out.</source>
        <translation>Maskiert die Schritte einer Folge, deren Merkmale alle einen bestimmten Wert haben, und setzt sie auf 0: Schichten dahinter, die Masken nehmen, lassen sie aus.</translation>
    </message>
    <message>
        <source>what all features of a step that does not count are</source>
        <translation>Wert aller Merkmale eines Schritts, der nicht zählt</translation>
    </message>
    <message>
        <source>All axes but the batch become one, last axis fastest.</source>
        <translation>Alle Achsen außer dem Batch werden eine, die letzte läuft am schnellsten.</translation>
    </message>
    <message>
        <source>where the channels are</source>
        <translation>wo die Kanäle stehen</translation>
    </message>
    <message>
        <source>The same elements of a sample in another shape.</source>
        <translation>Dieselben Elemente eines Beispiels in einer anderen Form.</translation>
    </message>
    <message>
        <source>shape of a sample without the batch; one extent may be -1</source>
        <translation>Form eines Beispiels ohne den Batch; eine Ausdehnung darf -1 sein</translation>
    </message>
    <message>
        <source>The axes of a sample in another order.</source>
        <translation>Die Achsen eines Beispiels in anderer Reihenfolge.</translation>
    </message>
    <message>
        <source>which axis of the input becomes the first, the second, …; counted from 1, without the batch</source>
        <translation>welche Achse des Eingangs die erste, die zweite, … wird; gezählt ab 1, ohne den Batch</translation>
    </message>
    <message>
        <source>The vector of a sample n times: [batch, features] becomes [batch, n, features].</source>
        <translation>Der Vektor eines Beispiels n-mal: aus [Batch, Merkmale] wird [Batch, n, Merkmale].</translation>
    </message>
    <message>
        <source>how many times</source>
        <translation>wie oft</translation>
    </message>
    <message>
        <source>A row of a trained table for each whole number of the input.</source>
        <translation>Für jede ganze Zahl des Eingangs eine Zeile einer trainierten Tabelle.</translation>
    </message>
    <message>
        <source>rows of the table: numbers go from 0 to input_dim - 1</source>
        <translation>Zeilen der Tabelle: Zahlen gehen von 0 bis input_dim - 1</translation>
    </message>
    <message>
        <source>length of a row</source>
        <translation>Länge einer Zeile</translation>
    </message>
    <message>
        <source>first values of the table [input_dim, output_dim]</source>
        <translation>erste Werte der Tabelle [input_dim, output_dim]</translation>
    </message>
    <message>
        <source>penalty on the table</source>
        <translation>Strafterm auf die Tabelle</translation>
    </message>
    <message>
        <source>limit on the table</source>
        <translation>Beschränkung der Tabelle</translation>
    </message>
    <message>
        <source>number 0 is padding: such steps are masked, and layers behind that take masks leave them out</source>
        <translation>die Zahl 0 füllt nur auf: solche Schritte sind maskiert, und Schichten dahinter, die Masken nehmen, lassen sie aus</translation>
    </message>
    <message>
        <source>length of the input&apos;s sequences; null: as they are</source>
        <translation>Länge der Folgen am Eingang; null: wie sie sind</translation>
    </message>
    <message>
        <source>Cuts the edges of the spatial axes off.</source>
        <translation>Schneidet die Ränder der räumlichen Achsen ab.</translation>
    </message>
    <message>
        <source>elements cut off before and after, along each axis</source>
        <translation>Elemente, die davor und dahinter wegfallen, auf jeder Achse</translation>
    </message>
    <message>
        <source>Zeros around the spatial axes.</source>
        <translation>Nullen um die räumlichen Achsen herum.</translation>
    </message>
    <message>
        <source>zeros before and after, along each axis</source>
        <translation>Nullen davor und dahinter, auf jeder Achse</translation>
    </message>
    <message>
        <source>Repeats the elements along the spatial axes.</source>
        <translation>Wiederholt die Elemente auf den räumlichen Achsen.</translation>
    </message>
    <message>
        <source>how often each element is repeated, along each axis</source>
        <translation>wie oft jedes Element wiederholt wird, auf jeder Achse</translation>
    </message>
    <message>
        <source>nearest: repeated; bilinear: between the centres of neighbours</source>
        <translation>nearest: wiederholt; bilinear: zwischen den Mitten der Nachbarn interpoliert</translation>
    </message>
    <message>
        <source>x from the threshold on, at most max_value; below, negative_slope (x - threshold).</source>
        <translation>x ab der Schwelle, höchstens max_value; darunter negative_slope (x - threshold).</translation>
    </message>
    <message>
        <source>cap; null: none</source>
        <translation>Obergrenze; null: keine</translation>
    </message>
    <message>
        <source>slope below the threshold</source>
        <translation>Steigung unter der Schwelle</translation>
    </message>
    <message>
        <source>from where on x passes</source>
        <translation>Wert, ab dem x durchgeht</translation>
    </message>
    <message>
        <source>x above 0, alpha x below.</source>
        <translation>x über 0, alpha x darunter.</translation>
    </message>
    <message>
        <source>slope below 0</source>
        <translation>Steigung unter 0</translation>
    </message>
    <message>
        <source>x above 0, alpha (exp(x) - 1) below.</source>
        <translation>x über 0, alpha (exp(x) - 1) darunter.</translation>
    </message>
    <message>
        <source>scale below 0</source>
        <translation>Faktor unter 0</translation>
    </message>
    <message>
        <source>exp(x) / sum(exp(x)) over one axis, or over several together.</source>
        <translation>exp(x) / sum(exp(x)) über eine Achse, oder über mehrere zusammen.</translation>
    </message>
    <message>
        <source>axis of the sum, or a list of axes, counted with the batch</source>
        <translation>Achse der Summe, oder eine Liste von Achsen, mit dem Batch gezählt</translation>
    </message>
    <message>
        <source>Long short-term memory: input, forget and output gates and a cell that they write, keep and read.</source>
        <translation>Long Short-Term Memory: Eingangs-, Vergess- und Ausgangsgatter und eine Zelle, die sie schreiben, behalten und lesen.</translation>
    </message>
    <message>
        <source>give the output of every step, not only of the last</source>
        <translation>den Ausgang jedes Schritts liefern, nicht nur den des letzten</translation>
    </message>
    <message>
        <source>give the state after the last step as well, as further outputs: h, and of an LSTM c</source>
        <translation>auch den Zustand nach dem letzten Schritt liefern, als weitere Ausgänge: h, bei einem LSTM auch c</translation>
    </message>
    <message>
        <source>read the input from its last step to its first; outputs come in that order</source>
        <translation>den Eingang vom letzten zum ersten Schritt lesen; Ausgänge kommen in dieser Reihenfolge</translation>
    </message>
    <message>
        <source>begin each batch with the state that the batch before left; trainings, evaluations and predictions begin with zeros</source>
        <translation>jeden Batch mit dem Zustand beginnen, den der Batch davor hinterließ; Training, Auswertung und Vorhersage beginnen mit Nullen</translation>
    </message>
    <message>
        <source>compile the steps one after the other instead of a loop: the same numbers, more code</source>
        <translation>die Schritte hintereinander kompilieren statt als Schleife: dieselben Zahlen, mehr Code</translation>
    </message>
    <message>
        <source>time steps before the batch; only false is supported</source>
        <translation>Zeitschritte vor dem Batch; nur false wird unterstützt</translation>
    </message>
    <message>
        <source>size of the state and of the output</source>
        <translation>Größe des Zustands und des Ausgangs</translation>
    </message>
    <message>
        <source>function on the new state</source>
        <translation>Funktion auf dem neuen Zustand</translation>
    </message>
    <message>
        <source>first values of the kernel [features, gates x units]</source>
        <translation>erste Werte des Kernels [Merkmale, Gatter x units]</translation>
    </message>
    <message>
        <source>first values of the recurrent kernel [units, gates x units]</source>
        <translation>erste Werte des rekurrenten Kernels [units, Gatter x units]</translation>
    </message>
    <message>
        <source>first values of the bias</source>
        <translation>erste Werte des Bias</translation>
    </message>
    <message>
        <source>penalty on the recurrent kernel</source>
        <translation>Strafterm auf den rekurrenten Kernel</translation>
    </message>
    <message>
        <source>limit on the recurrent kernel</source>
        <translation>Beschränkung des rekurrenten Kernels</translation>
    </message>
    <message>
        <source>share of the features dropped in training, the same in all steps of a sample</source>
        <translation>Anteil der Merkmale, die im Training wegfallen, in allen Schritten eines Beispiels dieselben</translation>
    </message>
    <message>
        <source>share of the state dropped in training, the same in all steps of a sample</source>
        <translation>Anteil des Zustands, der im Training wegfällt, in allen Schritten eines Beispiels derselbe</translation>
    </message>
    <message>
        <source>function of the gates</source>
        <translation>Funktion der Gatter</translation>
    </message>
    <message>
        <source>the forget gate&apos;s bias begins with 1</source>
        <translation>der Bias des Vergessgatters beginnt mit 1</translation>
    </message>
    <message>
        <source>of Keras: 0 (before 2.1), 1 or 2; all are compiled alike</source>
        <translation>aus Keras: 0 (vor 2.1), 1 oder 2; alle werden gleich kompiliert</translation>
    </message>
    <message>
        <source>Gated recurrent unit: an update gate mixes the old state with a new one, for which a reset gate scales the old.</source>
        <translation>Gated Recurrent Unit: ein Aktualisierungsgatter mischt den alten Zustand mit einem neuen, für den ein Rücksetzgatter den alten skaliert.</translation>
    </message>
    <message>
        <source>reset behind the recurrent product (with a bias of its own) instead of before it</source>
        <translation>Rücksetzen hinter dem rekurrenten Produkt (mit eigenem Bias) statt davor</translation>
    </message>
    <message>
        <source>Fully connected recurrence: each step gives activation(input x kernel + state x recurrent kernel + bias).</source>
        <translation>Vollständig verbundene Rekurrenz: jeder Schritt liefert Aktivierung(Eingang x Kernel + Zustand x rekurrenter Kernel + Bias).</translation>
    </message>
    <message>
        <source>A recurrent layer and a copy of it that reads backwards; what both give for a step is merged.</source>
        <translation>Eine rekurrente Schicht und eine Kopie davon, die rückwärts liest; was beide für einen Schritt liefern, wird zusammengeführt.</translation>
    </message>
    <message>
        <source>the recurrent layer: LSTM, GRU or SimpleRNN</source>
        <translation>die rekurrente Schicht: LSTM, GRU oder SimpleRNN</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>how the outputs of both become one; null: two outputs, forwards and backwards</source>
        <translation>wie die Ausgänge beider einer werden; null: zwei Ausgänge, vorwärts und rückwärts</translation>
    </message>
    <message>
        <source>the layer that reads backwards; null: as the other</source>
        <translation>die Schicht, die rückwärts liest; null: wie die andere</translation>
    </message>
    <message>
        <source>Applies a layer to each step of a sequence, with the same weights.</source>
        <translation>Wendet eine Schicht auf jeden Schritt einer Folge an, mit denselben Gewichten.</translation>
    </message>
    <message>
        <source>the layer</source>
        <translation>die Schicht</translation>
    </message>
    <message>
        <source>Sum of the inputs.</source>
        <translation>Summe der Eingänge.</translation>
    </message>
    <message>
        <source>First input minus the second.</source>
        <translation>Erster Eingang minus zweiter.</translation>
    </message>
    <message>
        <source>Product of the inputs.</source>
        <translation>Produkt der Eingänge.</translation>
    </message>
    <message>
        <source>Mean of the inputs.</source>
        <translation>Mittel der Eingänge.</translation>
    </message>
    <message>
        <source>Largest of the inputs, element by element.</source>
        <translation>Größter der Eingänge, Element für Element.</translation>
    </message>
    <message>
        <source>Smallest of the inputs, element by element.</source>
        <translation>Kleinster der Eingänge, Element für Element.</translation>
    </message>
    <message>
        <source>The inputs one after the other along an axis.</source>
        <translation>Die Eingänge hintereinander auf einer Achse.</translation>
    </message>
    <message>
        <source>axis along which to join, counted with the batch</source>
        <translation>Achse, auf der verbunden wird, mit dem Batch gezählt</translation>
    </message>
    <message>
        <source>Kernels that slide over steps: activation(sum over the window and its channels + bias).</source>
        <translation>Kernel, die über Schritte gleiten: Aktivierung(Summe über das Fenster und seine Kanäle + Bias).</translation>
    </message>
    <message>
        <source>number of output channels</source>
        <translation>Anzahl der Ausgangskanäle</translation>
    </message>
    <message>
        <source>extent of the kernel</source>
        <translation>Ausdehnung des Kernels</translation>
    </message>
    <message>
        <source>steps from one window to the next</source>
        <translation>Schritte von einem Fenster zum nächsten</translation>
    </message>
    <message>
        <source>valid: none; same: as many outputs as inputs / stride; causal: only before, nothing of the future is seen</source>
        <translation>valid: kein Auffüllen; same: so viele Ausgänge wie Eingänge / Schritt; causal: nur davor, von der Zukunft ist nichts zu sehen</translation>
    </message>
    <message>
        <source>[batch, steps, channels] or [batch, channels, steps]</source>
        <translation>[Batch, Schritte, Kanäle] oder [Batch, Kanäle, Schritte]</translation>
    </message>
    <message>
        <source>steps between the elements of the kernel; above 1 only with strides of 1</source>
        <translation>Schritte zwischen den Elementen des Kernels; über 1 nur mit strides von 1</translation>
    </message>
    <message>
        <source>channels and filters are cut into so many groups, each convolved by itself</source>
        <translation>Kanäle und Filter werden in so viele Gruppen geteilt, jede für sich gefaltet</translation>
    </message>
    <message>
        <source>add a bias for each output channel</source>
        <translation>einen Bias je Ausgangskanal addieren</translation>
    </message>
    <message>
        <source>first values of the kernel</source>
        <translation>erste Werte des Kernels</translation>
    </message>
    <message>
        <source>Kernels that slide over rows and columns: activation(sum over the window and its channels + bias).</source>
        <translation>Kernel, die über Zeilen und Spalten gleiten: Aktivierung(Summe über das Fenster und seine Kanäle + Bias).</translation>
    </message>
    <message>
        <source>valid: none; same: as many outputs as inputs / stride</source>
        <translation>valid: kein Auffüllen; same: so viele Ausgänge wie Eingänge / Schritt</translation>
    </message>
    <message>
        <source>Kernels that slide over depth, rows and columns: activation(sum over the window and its channels + bias).</source>
        <translation>Kernel, die über Tiefe, Zeilen und Spalten gleiten: Aktivierung(Summe über das Fenster und seine Kanäle + Bias).</translation>
    </message>
    <message>
        <source>The way back of a convolution over steps: every input spreads its kernel; strides make the result larger.</source>
        <translation>Der Rückweg einer Faltung über Schritte: jeder Eingang breitet seinen Kernel aus; strides machen das Ergebnis größer.</translation>
    </message>
    <message>
        <source>always 1: this layer is not cut into groups</source>
        <translation>immer 1: diese Schicht wird nicht in Gruppen geteilt</translation>
    </message>
    <message>
        <source>further outputs, below the stride; null: as Keras derives the length</source>
        <translation>weitere Ausgänge, weniger als der Schritt; null: Länge, wie Keras sie ableitet</translation>
    </message>
    <message>
        <source>The way back of a convolution over rows and columns: every input spreads its kernel; strides make the result larger.</source>
        <translation>Der Rückweg einer Faltung über Zeilen und Spalten: jeder Eingang breitet seinen Kernel aus; strides machen das Ergebnis größer.</translation>
    </message>
    <message>
        <source>The way back of a convolution over depth, rows and columns: every input spreads its kernel; strides make the result larger.</source>
        <translation>Der Rückweg einer Faltung über Tiefe, Zeilen und Spalten: jeder Eingang breitet seinen Kernel aus; strides machen das Ergebnis größer.</translation>
    </message>
    <message>
        <source>A depthwise convolution over steps, then a product of the channels at each position.</source>
        <translation>Eine Depthwise-Faltung über Schritte, dann an jeder Stelle ein Produkt der Kanäle.</translation>
    </message>
    <message>
        <source>extent of the depthwise kernel</source>
        <translation>Ausdehnung des Depthwise-Kernels</translation>
    </message>
    <message>
        <source>outputs of each channel</source>
        <translation>Ausgänge je Kanal</translation>
    </message>
    <message>
        <source>first values of the depthwise kernel</source>
        <translation>erste Werte des Depthwise-Kernels</translation>
    </message>
    <message>
        <source>first values of the pointwise kernel</source>
        <translation>erste Werte des Pointwise-Kernels</translation>
    </message>
    <message>
        <source>penalty on the depthwise kernel</source>
        <translation>Strafterm auf den Depthwise-Kernel</translation>
    </message>
    <message>
        <source>penalty on the pointwise kernel</source>
        <translation>Strafterm auf den Pointwise-Kernel</translation>
    </message>
    <message>
        <source>limit on the depthwise kernel</source>
        <translation>Beschränkung des Depthwise-Kernels</translation>
    </message>
    <message>
        <source>limit on the pointwise kernel</source>
        <translation>Beschränkung des Pointwise-Kernels</translation>
    </message>
    <message>
        <source>A depthwise convolution over rows and columns, then a product of the channels at each position.</source>
        <translation>Eine Depthwise-Faltung über Zeilen und Spalten, dann an jeder Stelle ein Produkt der Kanäle.</translation>
    </message>
    <message>
        <source>Convolves each channel by itself, with depth_multiplier kernels.</source>
        <translation>Faltet jeden Kanal für sich, mit depth_multiplier Kernels.</translation>
    </message>
    <message>
        <source>Largest value of each window over one axis.</source>
        <translation>Größter Wert jedes Fensters über eine Achse.</translation>
    </message>
    <message>
        <source>extents of the window</source>
        <translation>Ausdehnungen des Fensters</translation>
    </message>
    <message>
        <source>steps from one window to the next; null: the window&apos;s own extents</source>
        <translation>Schritte von einem Fenster zum nächsten; null: die Ausdehnungen des Fensters</translation>
    </message>
    <message>
        <source>Largest value of each window over two axes.</source>
        <translation>Größter Wert jedes Fensters über zwei Achsen.</translation>
    </message>
    <message>
        <source>Largest value of each window over three axes.</source>
        <translation>Größter Wert jedes Fensters über drei Achsen.</translation>
    </message>
    <message>
        <source>Mean of each window over one axis; padding does not count.</source>
        <translation>Mittel jedes Fensters über eine Achse; Aufgefülltes zählt nicht.</translation>
    </message>
    <message>
        <source>Mean of each window over two axes; padding does not count.</source>
        <translation>Mittel jedes Fensters über zwei Achsen; Aufgefülltes zählt nicht.</translation>
    </message>
    <message>
        <source>Mean of each window over three axes; padding does not count.</source>
        <translation>Mittel jedes Fensters über drei Achsen; Aufgefülltes zählt nicht.</translation>
    </message>
    <message>
        <source>Largest value of each channel over one axis.</source>
        <translation>Größter Wert jedes Kanals über eine Achse.</translation>
    </message>
    <message>
        <source>keep the axes as axes of one</source>
        <translation>die Achsen mit Ausdehnung 1 behalten</translation>
    </message>
    <message>
        <source>Largest value of each channel over two axes.</source>
        <translation>Größter Wert jedes Kanals über zwei Achsen.</translation>
    </message>
    <message>
        <source>Largest value of each channel over three axes.</source>
        <translation>Größter Wert jedes Kanals über drei Achsen.</translation>
    </message>
    <message>
        <source>Mean of each channel over one axis.</source>
        <translation>Mittel jedes Kanals über eine Achse.</translation>
    </message>
    <message>
        <source>Mean of each channel over two axes.</source>
        <translation>Mittel jedes Kanals über zwei Achsen.</translation>
    </message>
    <message>
        <source>Mean of each channel over three axes.</source>
        <translation>Mittel jedes Kanals über drei Achsen.</translation>
    </message>
    <message>
        <source>Each channel to mean 0 and variance 1 over the batch, then gamma and beta; outside of training by moving statistics.</source>
        <translation>Jeder Kanal auf Mittel 0 und Varianz 1 über den Batch, dann gamma und beta; außerhalb des Trainings nach der gleitenden Statistik.</translation>
    </message>
    <message>
        <source>the channels, counted with the batch</source>
        <translation>die Kanäle, mit dem Batch gezählt</translation>
    </message>
    <message>
        <source>what the moving statistics keep in a step</source>
        <translation>was die gleitende Statistik in einem Schritt behält</translation>
    </message>
    <message>
        <source>added to the variance before its root</source>
        <translation>vor der Wurzel zur Varianz addiert</translation>
    </message>
    <message>
        <source>add a learned beta</source>
        <translation>ein gelerntes beta addieren</translation>
    </message>
    <message>
        <source>multiply with a learned gamma</source>
        <translation>mit einem gelernten gamma multiplizieren</translation>
    </message>
    <message>
        <source>first values of beta</source>
        <translation>erste Werte von beta</translation>
    </message>
    <message>
        <source>first values of gamma</source>
        <translation>erste Werte von gamma</translation>
    </message>
    <message>
        <source>first values of the moving mean</source>
        <translation>erste Werte des gleitenden Mittels</translation>
    </message>
    <message>
        <source>first values of the moving variance</source>
        <translation>erste Werte der gleitenden Varianz</translation>
    </message>
    <message>
        <source>penalty on beta</source>
        <translation>Strafterm auf beta</translation>
    </message>
    <message>
        <source>penalty on gamma</source>
        <translation>Strafterm auf gamma</translation>
    </message>
    <message>
        <source>limit on beta</source>
        <translation>Beschränkung von beta</translation>
    </message>
    <message>
        <source>limit on gamma</source>
        <translation>Beschränkung von gamma</translation>
    </message>
    <message>
        <source>Each sample to mean 0 and variance 1 over some axes, then gamma and beta.</source>
        <translation>Jedes Beispiel auf Mittel 0 und Varianz 1 über einige Achsen, dann gamma und beta.</translation>
    </message>
    <message>
        <source>axes of the statistics, counted with the batch</source>
        <translation>Achsen der Statistik, mit dem Batch gezählt</translation>
    </message>
    <message>
        <source>Each group of channels of a sample to mean 0 and variance 1, then gamma and beta of each channel.</source>
        <translation>Jede Gruppe von Kanälen eines Beispiels auf Mittel 0 und Varianz 1, dann gamma und beta jedes Kanals.</translation>
    </message>
    <message>
        <source>groups of channels; they divide the channels</source>
        <translation>Gruppen von Kanälen; ihre Zahl teilt die der Kanäle</translation>
    </message>
    <message>
        <source>the channels: 1 or the last axis</source>
        <translation>die Kanäle: 1 oder die letzte Achse</translation>
    </message>
    <message>
        <source>first values of beta; null: glorot_uniform</source>
        <translation>erste Werte von beta; null: glorot_uniform</translation>
    </message>
    <message>
        <source>first values of gamma; null: glorot_uniform</source>
        <translation>erste Werte von gamma; null: glorot_uniform</translation>
    </message>
    <message>
        <source>channel c belongs to group c mod groups; else neighbours are a group</source>
        <translation>Kanal c gehört zur Gruppe c mod groups; sonst bilden Nachbarn eine Gruppe</translation>
    </message>
    <message>
        <source>Each channel of a sample to mean 0 and variance 1, then gamma and beta.</source>
        <translation>Jeder Kanal eines Beispiels auf Mittel 0 und Varianz 1, dann gamma und beta.</translation>
    </message>
    <message>
        <source>Scalar products of two inputs along an axis of each, sample by sample.</source>
        <translation>Skalarprodukte zweier Eingänge entlang je einer Achse, Beispiel für Beispiel.</translation>
    </message>
    <message>
        <source>axis of each input along which to multiply and sum, counted with the batch</source>
        <translation>Achse jedes Eingangs, auf der multipliziert und summiert wird, mit dem Batch gezählt</translation>
    </message>
    <message>
        <source>scale to length 1 first: the cosine of the angle</source>
        <translation>vorher auf Länge 1 skalieren: der Kosinus des Winkels</translation>
    </message>
    <message>
        <source>Values weighed by how query and key go together: softmax of their scalar products.</source>
        <translation>Werte, gewichtet danach, wie Abfrage und Schlüssel zusammenpassen: Softmax ihrer Skalarprodukte.</translation>
    </message>
    <message>
        <source>a position sees those up to its own only</source>
        <translation>eine Stelle sieht nur die bis zu ihr selbst</translation>
    </message>
    <message>
        <source>share of the weights dropped in training</source>
        <translation>Anteil der Gewichtungen, die im Training wegfallen</translation>
    </message>
    <message>
        <source>a trained scale of the scores</source>
        <translation>ein trainierter Faktor auf die Bewertungen</translation>
    </message>
    <message>
        <source>Values weighed by how query and key go together: softmax of sum(scale tanh(query + key)).</source>
        <translation>Werte, gewichtet danach, wie Abfrage und Schlüssel zusammenpassen: Softmax von sum(scale tanh(query + key)).</translation>
    </message>
    <message>
        <source>Attention with several heads, each with its own projections of query, key and value; inputs are query, value, key where it is not the value, and a mask of 1 for what a query sees.</source>
        <translation>Attention mit mehreren Köpfen, jeder mit eigenen Projektionen von Abfrage, Schlüssel und Wert; Eingänge sind Abfrage, Wert, Schlüssel, wo er nicht der Wert ist, und eine Maske mit 1 für das, was eine Abfrage sieht.</translation>
    </message>
    <message>
        <source>number of heads</source>
        <translation>Anzahl der Köpfe</translation>
    </message>
    <message>
        <source>size of a head for query and key</source>
        <translation>Größe eines Kopfes für Abfrage und Schlüssel</translation>
    </message>
    <message>
        <source>size of a head for the value; null: key_dim</source>
        <translation>Größe eines Kopfes für den Wert; null: key_dim</translation>
    </message>
    <message>
        <source>share of the attention weights dropped in training</source>
        <translation>Anteil der Attention-Gewichte, die im Training wegfallen</translation>
    </message>
    <message>
        <source>add a bias to each projection</source>
        <translation>zu jeder Projektion einen Bias addieren</translation>
    </message>
    <message>
        <source>features of a position of the output; null: the query&apos;s</source>
        <translation>Merkmale einer Stelle des Ausgangs; null: die der Abfrage</translation>
    </message>
    <message>
        <source>axes of attention; only null, all but batch and features, is supported</source>
        <translation>Achsen der Attention; nur null wird unterstützt: alle außer Batch und Merkmalen</translation>
    </message>
    <message>
        <source>first values of the projections</source>
        <translation>erste Werte der Projektionen</translation>
    </message>
    <message>
        <source>first values of the biases</source>
        <translation>erste Werte der Biase</translation>
    </message>
    <message>
        <source>penalty on the projections</source>
        <translation>Strafterm auf die Projektionen</translation>
    </message>
    <message>
        <source>penalty on the biases</source>
        <translation>Strafterm auf die Biase</translation>
    </message>
    <message>
        <source>limit on the projections</source>
        <translation>Beschränkung der Projektionen</translation>
    </message>
    <message>
        <source>limit on the biases</source>
        <translation>Beschränkung der Biase</translation>
    </message>
    <message>
        <source>whether training changes the weights</source>
        <translation>ob das Training die Gewichte ändert</translation>
    </message>
    <message>
        <source>type of computing and of the weights, or a policy</source>
        <translation>Typ des Rechnens und der Gewichte, oder eine Policy</translation>
    </message>
    <message>
        <source>No effect yet in this version.</source>
        <translation>In dieser Version noch ohne Wirkung.</translation>
    </message>
    <message>
        <source>The order in which the IPUs of a multi-IPU device are given to shards and stages. ZIGZAG counts up; SNAKE keeps neighbouring stages linked; HOOF makes a ring, so that first and last are neighbours; AUTO is SNAKE for a pipeline over devices 0, 1, 2, … and else ZIGZAG.</source>
        <translation>Die Reihenfolge, in der die IPUs eines Geräts mit mehreren IPUs an Shards und Stufen vergeben werden. ZIGZAG zählt aufwärts; SNAKE hält benachbarte Stufen verbunden; HOOF macht einen Ring, sodass erste und letzte Nachbarn sind; AUTO ist SNAKE für eine Pipeline über die Geräte 0, 1, 2, … und sonst ZIGZAG.</translation>
    </message>
    <message>
        <source>Folder that receives each compiled executable with a JSON description of its inputs, outputs and streams. Empty: nothing is written.</source>
        <translation>Ordner, in den jedes kompilierte Executable mit einer JSON-Beschreibung seiner Eingänge, Ausgänge und Streams kommt. Leer: nichts wird geschrieben.</translation>
    </message>
    <message>
        <source>path</source>
        <translation>Pfad</translation>
    </message>
    <message>
        <source>Engine options by key, as in POPLAR_ENGINE_OPTIONS, which wins where both give a key.</source>
        <translation>Engine-Optionen nach Schlüssel, wie in POPLAR_ENGINE_OPTIONS; diese gilt, wo beide einen Schlüssel angeben.</translation>
    </message>
    <message>
        <source>dict</source>
        <translation>dict</translation>
    </message>
    <message>
        <source>Options of the library of collectives (all-reduce and the like).</source>
        <translation>Optionen der Bibliothek kollektiver Operationen (All-Reduce und dergleichen).</translation>
    </message>
    <message>
        <source>One logical device per entry, each with that many IPUs taken from any free ones: 1 is one device of one IPU, [2, 2] two devices of two. Excludes select_ipus.</source>
        <translation>Ein logisches Gerät je Eintrag, jedes mit so vielen IPUs, wie er nennt, aus beliebigen freien: 1 ist ein Gerät mit einer IPU, [2, 2] sind zwei mit je zwei. Schließt select_ipus aus.</translation>
    </message>
    <message>
        <source>IPUs</source>
        <translation>IPUs</translation>
    </message>
    <message>
        <source>int or list of int</source>
        <translation>int oder Liste von int</translation>
    </message>
    <message>
        <source>One logical device per entry, each bound to exactly that device id of the system (a single IPU or a group). Ids must differ. Excludes auto_select_ipus; not with the software model.</source>
        <translation>Ein logisches Gerät je Eintrag, jedes an genau diese Gerätenummer des Systems gebunden (eine IPU oder eine Gruppe). Die Nummern müssen verschieden sein. Schließt auto_select_ipus aus; nicht mit dem Softwaremodell.</translation>
    </message>
    <message>
        <source>device id</source>
        <translation>Gerätenummer</translation>
    </message>
    <message>
        <source>Keys with effect: %1.</source>
        <translation>Schlüssel mit Wirkung: %1.</translation>
    </message>
    <message>
        <source>Options of slice and update operations (embeddings); availableMemoryProportion as for matrix products.</source>
        <translation>Optionen von Slice- und Update-Operationen (Embeddings); availableMemoryProportion wie bei Matrixprodukten.</translation>
    </message>
    <message>
        <source>Options of pooling operations.</source>
        <translation>Optionen von Pooling-Operationen.</translation>
    </message>
    <message>
        <source>Batch statistics in training are summed over groups of this many consecutive replicas. Must divide the number of replicas. Not in pipelines and not with IO tiles.</source>
        <translation>Batch-Statistiken werden im Training über Gruppen von so vielen aufeinanderfolgenden Replikas summiert. Die Zahl muss die der Replikas teilen. Nicht in Pipelines und nicht mit IO-Tiles.</translation>
    </message>
    <message>
        <source>replicas</source>
        <translation>Replikas</translation>
    </message>
    <message>
        <source>Allows algebraic rewrites that may change values in the last bits (re-association and such).</source>
        <translation>Erlaubt algebraische Umformungen, die Werte in den letzten Bits ändern können (Umklammern und dergleichen).</translation>
    </message>
    <message>
        <source>Turns a matrix product whose one side has only batch or contracted dimensions into an elementwise product and a sum.</source>
        <translation>Macht aus einem Matrixprodukt, dessen eine Seite nur Batch- oder summierte Dimensionen hat, ein elementweises Produkt und eine Summe.</translation>
    </message>
    <message>
        <source>Prepares the next stream data on the host while the device computes.</source>
        <translation>Bereitet auf dem Host die nächsten Stream-Daten vor, während das Gerät rechnet.</translation>
    </message>
    <message>
        <source>Fuses matrix products that share their weights or their input.</source>
        <translation>Fasst Matrixprodukte zusammen, die sich Gewichte oder Eingang teilen.</translation>
    </message>
    <message>
        <source>How many bytes of waiting all-reduces may be merged into one; 0 does each on its own, at once.</source>
        <translation>Wie viele Bytes wartender All-Reduces zu einem verschmolzen werden dürfen; 0 führt jedes einzeln und sofort aus.</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>How many bytes of waiting reduce-scatters may be merged into one; 0 does each on its own, at once.</source>
        <translation>Wie viele Bytes wartender Reduce-Scatters zu einem verschmolzen werden dürfen; 0 führt jedes einzeln und sofort aus.</translation>
    </message>
    <message>
        <source>How many bytes of waiting copies between IPUs may be merged into one; 0 does each on its own, at once.</source>
        <translation>Wie viele Bytes wartender Kopien zwischen IPUs zu einer verschmolzen werden dürfen; 0 führt jede einzeln und sofort aus.</translation>
    </message>
    <message>
        <source>How many bytes of waiting sends to and receives from the host may be merged into one; 0 does each on its own, at once.</source>
        <translation>Wie viele Bytes wartender Übertragungen zum und vom Host zu einer verschmolzen werden dürfen; 0 führt jede einzeln und sofort aus.</translation>
    </message>
    <message>
        <source>How many bytes of waiting reductions may be merged into one; 0 does each on its own, at once.</source>
        <translation>Wie viele Bytes wartender Reduktionen zu einer verschmolzen werden dürfen; 0 führt jede einzeln und sofort aus.</translation>
    </message>
    <message>
        <source>How many bytes of waiting all-gathers may be merged into one; 0 does each on its own, at once.</source>
        <translation>Wie viele Bytes wartender All-Gathers zu einem verschmolzen werden dürfen; 0 führt jedes einzeln und sofort aus.</translation>
    </message>
    <message>
        <source>Smaller tensors never go to remote memory. Partitioned over replicas, the limit is multiplied by the number of parts.</source>
        <translation>Kleinere Tensoren kommen nie in den Remote-Speicher. Auf Replikas verteilt, wird die Grenze mit der Zahl der Teile multipliziert.</translation>
    </message>
    <message>
        <source>Whether remote buffers of equal tensors become one; IF_BENEFICIAL only where that lets code be shared.</source>
        <translation>Ob Remote-Buffer gleicher Tensoren einer werden; IF_BENEFICIAL nur, wo sich dadurch Code teilen lässt.</translation>
    </message>
    <message>
        <source>Rewrites gathers as embedding lookups where it can.</source>
        <translation>Schreibt Gathers wo möglich als Embedding-Zugriffe um.</translation>
    </message>
    <message>
        <source>Block size of triangular solves; 0 lets the implementation choose.</source>
        <translation>Blockgröße beim Lösen von Dreieckssystemen; 0 überlässt sie der Implementierung.</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Block size of Cholesky factorisations; 0 lets the implementation choose.</source>
        <translation>Blockgröße von Cholesky-Zerlegungen; 0 überlässt sie der Implementierung.</translation>
    </message>
    <message>
        <source>Older name of optimizations.math.fast.</source>
        <translation>Älterer Name von optimizations.math.fast.</translation>
    </message>
    <message>
        <source>Deprecated. %1</source>
        <translation>Überholt. %1</translation>
    </message>
    <message>
        <source>Use optimizations.math.fast instead.</source>
        <translation>Nehmen Sie stattdessen optimizations.math.fast.</translation>
    </message>
    <message>
        <source>Replaces dynamic slices and updates by planned ones.</source>
        <translation>Ersetzt dynamische Slices und Updates durch geplante.</translation>
    </message>
    <message>
        <source>How the order of operations is found. CHOOSE_BEST tries POST_ORDER, CLUSTERING and SHORTEST_PATH and keeps the one with the lowest predicted peak of live memory.</source>
        <translation>Wie die Reihenfolge der Operationen gefunden wird. CHOOSE_BEST probiert POST_ORDER, CLUSTERING und SHORTEST_PATH und behält die mit der kleinsten vorhergesagten Spitze an Live-Speicher.</translation>
    </message>
    <message>
        <source>%1 has no effect yet.</source>
        <translation>%1 ist noch ohne Wirkung.</translation>
    </message>
    <message>
        <source>LOOK_AHEAD only: how far ahead it looks.</source>
        <translation>Nur LOOK_AHEAD: wie weit er vorausschaut.</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>LOOK_AHEAD only: how many candidates it keeps.</source>
        <translation>Nur LOOK_AHEAD: wie viele Kandidaten er behält.</translation>
    </message>
    <message>
        <source>schedules</source>
        <translation>Abläufe</translation>
    </message>
    <message>
        <source>Tiles per IPU kept for transfers; computation gets the rest. Odd numbers are rounded up.</source>
        <translation>Tiles je IPU, die Übertragungen vorbehalten sind; das Rechnen bekommt den Rest. Ungerade Zahlen werden aufgerundet.</translation>
    </message>
    <message>
        <source>tiles</source>
        <translation>Tiles</translation>
    </message>
    <message>
        <source>Puts feeds and remote-buffer transfers on the IO tiles, which overlap needs.</source>
        <translation>Legt Feeds und Übertragungen von Remote-Buffern auf die IO-Tiles, was für Überlappung nötig ist.</translation>
    </message>
    <message>
        <source>Share of the IO tiles&apos; memory that data may take; the rest is for code. Transfers that together need more stay on the compute tiles.</source>
        <translation>Anteil des Speichers der IO-Tiles, den Daten nehmen dürfen; der Rest ist für Code. Übertragungen, die zusammen mehr brauchen, bleiben auf den Rechen-Tiles.</translation>
    </message>
    <message>
        <source>Software model only: tiles of each IPU; 0 is the number of the version (ipu1 1216, ipu2 1472).</source>
        <translation>Nur Softwaremodell: Tiles jeder IPU; 0 ist die Zahl der Version (ipu1 1216, ipu2 1472).</translation>
    </message>
    <message>
        <source>Software model only: which architecture it models.</source>
        <translation>Nur Softwaremodell: welche Architektur es modelliert.</translation>
    </message>
    <message>
        <source>Traps on an invalid operation.</source>
        <translation>Trap bei einer ungültigen Operation.</translation>
    </message>
    <message>
        <source>Traps on a division by zero.</source>
        <translation>Trap bei einer Division durch null.</translation>
    </message>
    <message>
        <source>Traps on an overflow.</source>
        <translation>Trap bei einem Überlauf.</translation>
    </message>
    <message>
        <source>Stochastic rounding of what is stored as float16: up or down by chance, so that the mean is right and small updates are not lost. The bits depend on the seed, the step and the element alone: threads, modes and a resumed run draw the same. Weights of replicas stay equal. REPLICA_IDENTICAL_ONLY uses it only where all replicas are known to compute the same, the weight update for example. Sums over replicas are rounded to the nearest.</source>
        <translation>Stochastisches Runden dessen, was als float16 gespeichert wird: zufällig auf oder ab, sodass das Mittel stimmt und kleine Änderungen nicht verloren gehen. Die Bits hängen nur von Startwert, Schritt und Element ab: Threads, Modi und ein fortgesetzter Lauf ziehen dieselben. Gewichte von Replikas bleiben gleich. REPLICA_IDENTICAL_ONLY nutzt es nur, wo bekanntlich alle Replikas dasselbe rechnen, etwa bei der Gewichtsänderung. Summen über Replikas werden zum nächsten Wert gerundet.</translation>
    </message>
    <message>
        <source>A float16 overflow gives NaN instead of the largest finite number.</source>
        <translation>Ein Überlauf in float16 ergibt NaN statt der größten endlichen Zahl.</translation>
    </message>
    <message>
        <source>Turns inv, div0, oflo, nanoo and esr (ON) on when the configuration is applied. Of these only esr has an effect yet.</source>
        <translation>Schaltet inv, div0, oflo, nanoo und esr (ON) ein, wenn die Konfiguration angewandt wird. Davon wirkt bisher nur esr.</translation>
    </message>
    <message>
        <source>When the device is attached. ALWAYS: when configured; ON_DEMAND: at the first run; PRE_COMPILE: never, runs give zeros and the executable goes to the cache; NEVER: compile only, running is refused.</source>
        <translation>Wann das Gerät belegt wird. ALWAYS: beim Konfigurieren; ON_DEMAND: beim ersten Lauf; PRE_COMPILE: nie, Läufe ergeben Nullen, und das Executable kommt in den Cache; NEVER: nur kompilieren, Läufe werden abgelehnt.</translation>
    </message>
    <message>
        <source>Promises, for every type but ALWAYS, that the device will have remote buffers. ALWAYS asks the device.</source>
        <translation>Verspricht für jeden Typ außer ALWAYS, dass das Gerät Remote-Buffer haben wird. ALWAYS fragt das Gerät.</translation>
    </message>
    <message>
        <source>Rearranges streamed tensors on the host instead of on the device.</source>
        <translation>Ordnet gestreamte Tensoren auf dem Host um statt auf dem Gerät.</translation>
    </message>
    <message>
        <source>Keeps host embeddings in remote buffers; they are synchronised at every execution.</source>
        <translation>Hält Host-Embeddings in Remote-Buffern; sie werden bei jeder Ausführung abgeglichen.</translation>
    </message>
    <message>
        <source>Manages random seeds so that replicas do not drift apart under stochastic rounding.</source>
        <translation>Verwaltet Startwerte so, dass Replikas unter stochastischem Runden nicht auseinanderlaufen.</translation>
    </message>
    <message>
        <source>Which of the processes this one is.</source>
        <translation>Welcher der Prozesse dieser ist.</translation>
    </message>
    <message>
        <source>How many processes share the replicas; 0 is off. All replicas = local replicas × processes.</source>
        <translation>Wie viele Prozesse sich die Replikas teilen; 0 ist aus. Alle Replikas = lokale Replikas × Prozesse.</translation>
    </message>
    <message>
        <source>processes</source>
        <translation>Prozesse</translation>
    </message>
    <message>
        <source>Prints this help instead of doing anything.</source>
        <translation>Gibt nur diese Hilfe aus.</translation>
    </message>
    <message>
        <source>No data moves between host and device; results and outfeeds are zeros. Measures device speed alone. An outfeed in LAST mode cannot be read then.</source>
        <translation>Zwischen Host und Gerät bewegen sich keine Daten; Ergebnisse und Outfeeds sind Nullen. Misst allein das Tempo des Geräts. Ein Outfeed im Modus LAST ist dann nicht lesbar.</translation>
    </message>
    <message>
        <source>Makes only these kinds of data synthetic, separated by commas: infeed, outfeed, seed, hostembedding, parameters. Empty: all of them when --use_synthetic_data is given. What an infeed or outfeed leaves out takes no stream cycles; seed and hostembedding have no effect yet: nothing streams them.</source>
        <translation>Macht nur diese Arten von Daten synthetisch, durch Kommas getrennt: infeed, outfeed, seed, hostembedding, parameters. Leer: alle, wenn --use_synthetic_data angegeben ist. Was ein Infeed oder Outfeed auslässt, braucht keine Stream-Takte; seed und hostembedding sind noch ohne Wirkung: nichts überträgt sie.</translation>
    </message>
    <message>
        <source>Fills synthetic tensors on the device: uniform or random, both from 0 to 1 (zeros for integers), normal (mean 0, deviation 1; ones for integers) or a number. Needs synthetic data. The original draws from the whole range of the type, which makes losses infinite.</source>
        <translation>Füllt synthetische Tensoren auf dem Gerät: uniform oder random, beide von 0 bis 1 (Nullen bei ganzen Zahlen), normal (Mittel 0, Abweichung 1; Einsen bei ganzen Zahlen) oder eine Zahl. Braucht synthetische Daten. Das Original zieht aus dem ganzen Wertebereich des Typs, was den Loss unendlich macht.</translation>
    </message>
    <message>
        <source>Runs on the software model instead of a modelled device.</source>
        <translation>Läuft auf dem Softwaremodell statt auf einem modellierten Gerät.</translation>
    </message>
    <message>
        <source>Tiles of each IPU of the software model; -1 leaves it to ipu_model.tiles_per_ipu, which also wins when it is set.</source>
        <translation>Tiles jeder IPU des Softwaremodells; -1 überlässt es ipu_model.tiles_per_ipu, das auch gilt, wenn es gesetzt ist.</translation>
    </message>
    <message>
        <source>Logs the cycles of the program as seen on this tile of replica 0; -1 logs nothing. Not on the software model.</source>
        <translation>Protokolliert die Takte des Programms, wie dieses Tile von Replika 0 sie sieht; -1 protokolliert nichts. Nicht auf dem Softwaremodell.</translation>
    </message>
    <message>
        <source>tile</source>
        <translation>Tile</translation>
    </message>
    <message>
        <source>How far the compiler follows a while loop to find how often it runs.</source>
        <translation>Wie weit der Compiler eine While-Schleife verfolgt, um zu finden, wie oft sie läuft.</translation>
    </message>
    <message>
        <source>iterations</source>
        <translation>Iterationen</translation>
    </message>
    <message>
        <source>Threads of a compile; -1 is all.</source>
        <translation>Threads beim Kompilieren; -1 sind alle.</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Threads that fill an infeed; -1 is all.</source>
        <translation>Threads, die einen Infeed füllen; -1 sind alle.</translation>
    </message>
    <message>
        <source>Folder of the executable cache. Empty: the configured one.</source>
        <translation>Ordner des Executable-Caches. Leer: der eingestellte.</translation>
    </message>
    <message>
        <source>Writes the final schedule as a graph.</source>
        <translation>Schreibt den endgültigen Ablauf als Graphen.</translation>
    </message>
    <message>
        <source>Folder that receives the tile mapping of each module as JSON.</source>
        <translation>Ordner, in den die Tile-Zuordnung jedes Moduls als JSON kommt.</translation>
    </message>
    <message>
        <source>Uses the plain list scheduler.</source>
        <translation>Nimmt den einfachen Listen-Scheduler.</translation>
    </message>
    <message>
        <source>Accepts NaN constants at compile time.</source>
        <translation>Lässt NaN-Konstanten beim Kompilieren zu.</translation>
    </message>
    <message>
        <source>Feeds garbage instead of the data set, to find out whether the data source is what is slow.</source>
        <translation>Speist Unsinn statt des Datensatzes ein, um herauszufinden, ob die Datenquelle das Langsame ist.</translation>
    </message>
    <message>
        <source>Progress while compiling; auto: on a terminal, without verbose logs, for larger models.</source>
        <translation>Fortschritt beim Kompilieren; auto: auf einem Terminal, ohne ausführliche Protokolle, bei größeren Modellen.</translation>
    </message>
    <message>
        <source>Older form of device_connection.type ON_DEMAND.</source>
        <translation>Ältere Form von device_connection.type ON_DEMAND.</translation>
    </message>
    <message>
        <source>Use device_connection.type = ON_DEMAND instead.</source>
        <translation>Nehmen Sie stattdessen device_connection.type = ON_DEMAND.</translation>
    </message>
    <message>
        <source>ON_DEMAND: pause between two attempts to attach.</source>
        <translation>ON_DEMAND: Pause zwischen zwei Versuchen, das Gerät zu belegen.</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>ON_DEMAND: gives up attaching after this time.</source>
        <translation>ON_DEMAND: gibt den Versuch, das Gerät zu belegen, nach dieser Zeit auf.</translation>
    </message>
    <message>
        <source>All replicas wait for each other before they start.</source>
        <translation>Alle Replikas warten vor dem Start aufeinander.</translation>
    </message>
    <message>
        <source>Verifies the graph between passes.</source>
        <translation>Prüft den Graphen zwischen den Durchgängen.</translation>
    </message>
    <message>
        <source>Accepts executables of another version.</source>
        <translation>Lässt Executables einer anderen Version zu.</translation>
    </message>
    <message>
        <source>Does nothing any more.</source>
        <translation>Bewirkt nichts mehr.</translation>
    </message>
    <message>
        <source>Use the engine option target.saveOutputVertexGraph instead.</source>
        <translation>Nehmen Sie stattdessen die Engine-Option target.saveOutputVertexGraph.</translation>
    </message>
    <message>
        <source>Turns all parts of the report on, except the serialised graph.</source>
        <translation>Schaltet alle Teile des Berichts ein, außer dem serialisierten Graphen.</translation>
    </message>
    <message>
        <source>Folder of the reports.</source>
        <translation>Ordner der Berichte.</translation>
    </message>
    <message>
        <source>Writes the report&apos;s graph and memory part.</source>
        <translation>Schreibt den Teil des Berichts über Graph und Speicher.</translation>
    </message>
    <message>
        <source>Writes the report&apos;s execution part.</source>
        <translation>Schreibt den Teil des Berichts über die Ausführung.</translation>
    </message>
    <message>
        <source>Writes the computation graph.</source>
        <translation>Schreibt den Berechnungsgraphen.</translation>
    </message>
    <message>
        <source>Adds the lowered variables to the report.</source>
        <translation>Fügt dem Bericht die Variablen des Programms hinzu.</translation>
    </message>
    <message>
        <source>Adds the executable&apos;s archive to the report.</source>
        <translation>Fügt dem Bericht das Archiv des Executables hinzu.</translation>
    </message>
    <message>
        <source>Adds names and origins to the report.</source>
        <translation>Fügt dem Bericht Namen und Herkunft hinzu.</translation>
    </message>
    <message>
        <source>How many runs of a program are recorded.</source>
        <translation>Wie viele Läufe eines Programms aufgezeichnet werden.</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Inserts cycle counters.</source>
        <translation>Fügt Taktzähler ein.</translation>
    </message>
    <message>
        <source>Inserts cycle counters around compute sets.</source>
        <translation>Fügt Taktzähler um Compute-Sets ein.</translation>
    </message>
    <message>
        <source>Inserts cycle counters around transfers off the chip.</source>
        <translation>Fügt Taktzähler um Übertragungen ein, die den Chip verlassen.</translation>
    </message>
    <message>
        <source>Inserts cycle counters around control flow.</source>
        <translation>Fügt Taktzähler um den Kontrollfluss ein.</translation>
    </message>
    <message>
        <source>How fine the counters around compute sets are.</source>
        <translation>Wie fein die Zähler um Compute-Sets sind.</translation>
    </message>
    <message>
        <source>Keeps names in the executable.</source>
        <translation>Behält Namen im Executable.</translation>
    </message>
    <message>
        <source>A program that does not fit still compiles and leaves a memory report; it cannot run.</source>
        <translation>Ein Programm, das nicht passt, wird trotzdem kompiliert und hinterlässt einen Speicherbericht; laufen kann es nicht.</translation>
    </message>
    <message>
        <source>Tile that records which branches were taken; -1 is the last one.</source>
        <translation>Tile, das aufzeichnet, welche Verzweigungen genommen wurden; -1 ist das letzte.</translation>
    </message>
    <message>
        <source>Whether random numbers repeat over runs (true) and over machines (portable).</source>
        <translation>Ob sich Zufallszahlen über Läufe (true) und über Maschinen (portable) wiederholen.</translation>
    </message>
    <message>
        <source>Replicas go on without a common sync with the host.</source>
        <translation>Replikas laufen ohne gemeinsamen Sync mit dem Host weiter.</translation>
    </message>
    <message>
        <source>Saves the vertex graph.</source>
        <translation>Speichert den Vertex-Graphen.</translation>
    </message>
    <message>
        <source>Larger memory addressing.</source>
        <translation>Größerer Adressraum des Speichers.</translation>
    </message>
    <message>
        <source>Which host stream buffers may share memory.</source>
        <translation>Welche Stream-Puffer des Hosts sich Speicher teilen dürfen.</translation>
    </message>
    <message>
        <source>Fetches remote and stream data ahead.</source>
        <translation>Holt Remote- und Stream-Daten im Voraus.</translation>
    </message>
    <message>
        <source>Inlines functions that are called once.</source>
        <translation>Setzt Funktionen, die einmal aufgerufen werden, an Ort und Stelle ein.</translation>
    </message>
    <message>
        <source>What exchanges on the chip are optimised for.</source>
        <translation>Worauf Austausche auf dem Chip optimiert werden.</translation>
    </message>
    <message>
        <source>Largest copy that copies are merged into; 0 sets no limit.</source>
        <translation>Größte Kopie, zu der Kopien verschmolzen werden; 0 setzt keine Grenze.</translation>
    </message>
    <message>
        <source>Most compute sets one copy may become; 0 sets no limit.</source>
        <translation>Zu wie vielen Compute-Sets eine Kopie höchstens werden darf; 0 setzt keine Grenze.</translation>
    </message>
    <message>
        <source>compute sets</source>
        <translation>Compute-Sets</translation>
    </message>
    <message>
        <source>How host callbacks use threads. Empty: the program decides.</source>
        <translation>Wie Callbacks des Hosts Threads nutzen. Leer: das Programm entscheidet.</translation>
    </message>
    <message>
        <source>Threads of host callbacks: a number or auto.</source>
        <translation>Threads der Callbacks des Hosts: eine Zahl oder auto.</translation>
    </message>
    <message>
        <source>How many buffers host callbacks may run ahead: a number or unlimited.</source>
        <translation>Wie viele Puffer die Callbacks des Hosts vorauslaufen dürfen: eine Zahl oder unlimited.</translation>
    </message>
    <message>
        <source>Format of the report. Empty: the current one; older ones are deprecated.</source>
        <translation>Format des Berichts. Leer: das aktuelle; ältere sind überholt.</translation>
    </message>
    <message>
        <source>Light-weight profiling: which blocks, as a regular expression.</source>
        <translation>Leichtes Profiling: welche Blöcke, als regulärer Ausdruck.</translation>
    </message>
    <message>
        <source>Light-weight profiling: which programs, as a regular expression.</source>
        <translation>Leichtes Profiling: welche Programme, als regulärer Ausdruck.</translation>
    </message>
    <message>
        <source>Light-weight profiling: the tile that is watched; -1 lets the program choose.</source>
        <translation>Leichtes Profiling: das beobachtete Tile; -1 überlässt die Wahl dem Programm.</translation>
    </message>
    <message>
        <source>Light-weight profiling: buffer on the device; 0 lets the program choose.</source>
        <translation>Leichtes Profiling: Puffer auf dem Gerät; 0 überlässt die Größe dem Programm.</translation>
    </message>
    <message>
        <source>Light-weight profiling: empties the buffer by itself when it is full.</source>
        <translation>Leichtes Profiling: leert den Puffer von selbst, wenn er voll ist.</translation>
    </message>
    <message>
        <source>How the IPUs are wired; line for C600 cards that are compiled for beforehand.</source>
        <translation>Wie die IPUs verbunden sind; line für C600-Karten, für die vorab kompiliert wird.</translation>
    </message>
    <message>
        <source>How long the device waits for a slow host before the run fails.</source>
        <translation>Wie lange das Gerät auf einen langsamen Host wartet, bevor der Lauf scheitert.</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>Handwritten digits with dense layers</source>
        <translation>Handgeschriebene Ziffern mit Dense-Schichten</translation>
    </message>
    <message>
        <source>784 - 256 - 128 - 10 perceptron on MNIST: the model of the IPU tutorial.</source>
        <translation>Perzeptron 784 - 256 - 128 - 10 auf MNIST: das Modell der IPU-Einführung.</translation>
    </message>
    <message>
        <source>Handwritten digits with convolutions</source>
        <translation>Handgeschriebene Ziffern mit Faltungen</translation>
    </message>
    <message>
        <source>Two convolutions with pooling and two dense layers on MNIST: 99 % in two epochs.</source>
        <translation>Zwei Faltungen mit Pooling und zwei Dense-Schichten auf MNIST: 99 % in zwei Epochen.</translation>
    </message>
    <message>
        <source>Handwritten digits row by row</source>
        <translation>Handgeschriebene Ziffern Zeile für Zeile</translation>
    </message>
    <message>
        <source>LSTM of 128 units that reads the 28 rows of an MNIST image, and a dense layer on its last state.</source>
        <translation>LSTM mit 128 Einheiten, das die 28 Zeilen eines MNIST-Bilds liest, und eine Dense-Schicht auf seinem letzten Zustand.</translation>
    </message>
    <message>
        <source>Sequences sorted by attention</source>
        <translation>Folgen, durch Attention sortiert</translation>
    </message>
    <message>
        <source>Encoder of 2 blocks with 4 heads, 128 wide, that sorts 16 symbols; symbols and positions are two inputs.</source>
        <translation>Encoder aus 2 Blöcken mit 4 Köpfen, 128 breit, der 16 Symbole sortiert; Symbole und Stellen sind zwei Eingänge.</translation>
    </message>
    <message>
        <source>A training loop of your own</source>
        <translation>Eine eigene Trainingsschleife</translation>
    </message>
    <message>
        <source>The perceptron on MNIST with a loop of blocks: gradients clipped by their global norm, two optimizers for two groups of weights, until the loss is below a bound.</source>
        <translation>Das Perzeptron auf MNIST mit einer Schleife aus Blöcken: Gradienten nach ihrer globalen Norm beschnitten, zwei Optimierer für zwei Gruppen von Gewichten, bis der Loss unter einer Grenze liegt.</translation>
    </message>
    <message>
        <source>Empty project</source>
        <translation>Leeres Projekt</translation>
    </message>
    <message>
        <source>No layer yet; plan and data of mnist-mlp, so that what is built on it can be trained at once.</source>
        <translation>Noch keine Schicht; Plan und Daten von mnist-mlp, sodass sich gleich trainieren lässt, was darauf gebaut wird.</translation>
    </message>
    <message>
        <source>Mk1 GC2, one IPU of 1,216 tiles at 1.6 GHz</source>
        <translation>Mk1 GC2, eine IPU mit 1.216 Tiles bei 1,6 GHz</translation>
    </message>
    <message>
        <source>Mk2 GC200, one IPU of 1,472 tiles at 1.33 GHz</source>
        <translation>Mk2 GC200, eine IPU mit 1.472 Tiles bei 1,33 GHz</translation>
    </message>
    <message>
        <source>Bow, one IPU of 1,472 tiles at 1.85 GHz</source>
        <translation>Bow, eine IPU mit 1.472 Tiles bei 1,85 GHz</translation>
    </message>
    <message>
        <source>C600 card, one IPU of 1,472 tiles at 1.5 GHz</source>
        <translation>C600-Karte, eine IPU mit 1.472 Tiles bei 1,5 GHz</translation>
    </message>
    <message>
        <source>IPU-M2000, 4 GC200</source>
        <translation>IPU-M2000, 4 GC200</translation>
    </message>
    <message>
        <source>Bow-2000, 4 Bow IPUs</source>
        <translation>Bow-2000, 4 Bow-IPUs</translation>
    </message>
    <message>
        <source>POD4, 4 GC200</source>
        <translation>POD4, 4 GC200</translation>
    </message>
    <message>
        <source>POD16, 16 GC200</source>
        <translation>POD16, 16 GC200</translation>
    </message>
    <message>
        <source>POD64, 64 GC200</source>
        <translation>POD64, 64 GC200</translation>
    </message>
    <message>
        <source>Bow Pod16, 16 Bow IPUs</source>
        <translation>Bow Pod16, 16 Bow-IPUs</translation>
    </message>
    <message>
        <source>Bow Pod64, 64 Bow IPUs</source>
        <translation>Bow Pod64, 64 Bow-IPUs</translation>
    </message>
    <message>
        <source>plain Keras on the host: no emulation</source>
        <translation>einfaches Keras auf dem Host: keine Emulation</translation>
    </message>
    <message>
        <source>The embedded generator of handwritten-looking digits.</source>
        <translation>Der eingebaute Generator von Ziffern, die handgeschrieben aussehen.</translation>
    </message>
    <message>
        <source>Embedded sequences of 16 symbols, to be sorted; further inputs: positions.</source>
        <translation>Eingebaute Folgen von 16 Symbolen, die zu sortieren sind; weitere Eingänge: positions.</translation>
    </message>
    <message>
        <source>IDX files as of MNIST, plain or gzip: a folder with the usual four, or one file with data.y.</source>
        <translation>IDX-Dateien wie die von MNIST, einfach oder gzip: ein Ordner mit den üblichen vier, oder eine Datei mit data.y.</translation>
    </message>
    <message>
        <source>A NumPy archive with x_train, y_train, x_test, y_test, or x and y; further inputs of a model by data.inputs.</source>
        <translation>Ein NumPy-Archiv mit x_train, y_train, x_test, y_test, oder x und y; weitere Eingänge eines Modells über data.inputs.</translation>
    </message>
    <message>
        <source>NumPy files: x_train.npy, y_train.npy, x_test.npy, y_test.npy, or x.npy and y.npy.</source>
        <translation>NumPy-Dateien: x_train.npy, y_train.npy, x_test.npy, y_test.npy, oder x.npy und y.npy.</translation>
    </message>
    <message>
        <source>A table of numbers, one record a line; data.label_column names the labels.</source>
        <translation>Eine Tabelle von Zahlen, ein Datensatz je Zeile; data.label_column nennt die Labels.</translation>
    </message>
    <message>
        <source>a tile needs more bytes than it has</source>
        <translation>ein Tile braucht mehr Bytes, als es hat</translation>
    </message>
    <message>
        <source>the worst tile of an IPU is over 90 % full</source>
        <translation>das vollste Tile einer IPU ist zu über 90 % voll</translation>
    </message>
    <message>
        <source>less than 5 % of the executable region is free although a quarter of the tile is</source>
        <translation>vom Codebereich sind weniger als 5 % frei, obwohl vom Tile ein Viertel frei ist</translation>
    </message>
    <message>
        <source>one IPU&apos;s worst tile holds 1.5 times the mean, and over half of its memory</source>
        <translation>das vollste Tile einer IPU trägt das 1,5-Fache des Mittels und über die Hälfte seines Speichers</translation>
    </message>
    <message>
        <source>the largest variables of the worst tile at its peak</source>
        <translation>die größten Variablen des vollsten Tiles an seiner Spitze</translation>
    </message>
    <message>
        <source>code is over half of what a tile always holds, and over a tenth of its memory</source>
        <translation>Code ist über die Hälfte dessen, was ein Tile immer hält, und über ein Zehntel seines Speichers</translation>
    </message>
    <message>
        <source>a tile is over half full, mostly with 32-bit variables</source>
        <translation>ein Tile ist über halb voll, meist mit 32-Bit-Variablen</translation>
    </message>
    <message>
        <source>a compute set of over 5 % of the time whose active tiles are on average less than half as busy as the slowest</source>
        <translation>ein Compute-Set mit über 5 % der Zeit, dessen aktive Tiles im Mittel weniger als halb so beschäftigt sind wie das langsamste</translation>
    </message>
    <message>
        <source>a compute set of over 5 % of the time on less than a quarter of the tiles</source>
        <translation>ein Compute-Set mit über 5 % der Zeit auf weniger als einem Viertel der Tiles</translation>
    </message>
    <message>
        <source>exchange takes more cycles than compute</source>
        <translation>der Austausch braucht mehr Takte als das Rechnen</translation>
    </message>
    <message>
        <source>over 20 % of the time goes into barriers</source>
        <translation>über 20 % der Zeit gehen in Barrieren</translation>
    </message>
    <message>
        <source>compute phases shorter than a barrier make up so many that their barriers are over 25 % of the time</source>
        <translation>Rechenphasen, die kürzer als eine Barriere sind, sind so viele, dass ihre Barrieren über 25 % der Zeit ausmachen</translation>
    </message>
    <message>
        <source>over 30 % of the time goes into transfers from and to the host</source>
        <translation>über 30 % der Zeit gehen in Übertragungen vom und zum Host</translation>
    </message>
    <message>
        <source>a product&apos;s plan needs more temporary memory than it was given</source>
        <translation>der Plan eines Produkts braucht mehr vorübergehenden Speicher, als ihm gegeben wurde</translation>
    </message>
    <message>
        <source>a product of over 5 % of the time takes 20 times what the arithmetic could do</source>
        <translation>ein Produkt mit über 5 % der Zeit braucht das 20-Fache dessen, was das Rechnen allein kostete</translation>
    </message>
    <message>
        <source>Classes, labels as class numbers.</source>
        <translation>Klassen, Labels als Klassennummern.</translation>
    </message>
    <message>
        <source>-log(p[label]), one value per sample</source>
        <translation>-log(p[label]), ein Wert je Beispiel</translation>
    </message>
    <message>
        <source>how the samples&apos; losses become one number</source>
        <translation>wie aus den Losses der Beispiele eine Zahl wird</translation>
    </message>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>the predictions are logits, not probabilities</source>
        <translation>die Vorhersagen sind Logits, keine Wahrscheinlichkeiten</translation>
    </message>
    <message>
        <source>Classes, labels one-hot.</source>
        <translation>Klassen, Labels one-hot.</translation>
    </message>
    <message>
        <source>-sum(y log(p)), one value per sample</source>
        <translation>-sum(y log(p)), ein Wert je Beispiel</translation>
    </message>
    <message>
        <source>moves labels towards equal probability</source>
        <translation>rückt Labels zu gleicher Wahrscheinlichkeit hin</translation>
    </message>
    <message>
        <source>Yes or no, for every output on its own.</source>
        <translation>Ja oder nein, für jeden Ausgang einzeln.</translation>
    </message>
    <message>
        <source>-(y log(p) + (1-y) log(1-p))</source>
        <translation>-(y log(p) + (1-y) log(1-p))</translation>
    </message>
    <message>
        <source>Numbers; large errors count more.</source>
        <translation>Zahlen; große Fehler zählen mehr.</translation>
    </message>
    <message>
        <source>(y - p)^2</source>
        <translation>(y - p)^2</translation>
    </message>
    <message>
        <source>Numbers; robust against outliers.</source>
        <translation>Zahlen; robust gegen Ausreißer.</translation>
    </message>
    <message>
        <source>|y - p|</source>
        <translation>|y - p|</translation>
    </message>
    <message>
        <source>Numbers; errors in percent of the label.</source>
        <translation>Zahlen; Fehler in Prozent des Labels.</translation>
    </message>
    <message>
        <source>100 |y - p| / max(|y|, 1e-7)</source>
        <translation>100 |y - p| / max(|y|, 1e-7)</translation>
    </message>
    <message>
        <source>Positive numbers of very different size.</source>
        <translation>Positive Zahlen sehr verschiedener Größe.</translation>
    </message>
    <message>
        <source>(log(1 + max(y, 1e-7)) - log(1 + max(p, 1e-7)))^2</source>
        <translation>(log(1 + max(y, 1e-7)) - log(1 + max(p, 1e-7)))^2</translation>
    </message>
    <message>
        <source>Numbers; squared near the label, linear far from it.</source>
        <translation>Zahlen; nahe beim Label quadratisch, weit davon linear.</translation>
    </message>
    <message>
        <source>e = p - y: e^2 / 2 where |e| &lt;= delta, else delta |e| - delta^2 / 2</source>
        <translation>e = p - y: e^2 / 2, wo |e| &lt;= delta, sonst delta |e| - delta^2 / 2</translation>
    </message>
    <message>
        <source>where squared turns into linear</source>
        <translation>wo quadratisch in linear übergeht</translation>
    </message>
    <message>
        <source>Numbers; like Huber, without an edge.</source>
        <translation>Zahlen; wie Huber, ohne Knick.</translation>
    </message>
    <message>
        <source>log(cosh(p - y))</source>
        <translation>log(cosh(p - y))</translation>
    </message>
    <message>
        <source>Two classes, labels -1 and 1 (0 and 1 are converted).</source>
        <translation>Zwei Klassen, Labels -1 und 1 (0 und 1 werden umgewandelt).</translation>
    </message>
    <message>
        <source>max(1 - y p, 0)</source>
        <translation>max(1 - y p, 0)</translation>
    </message>
    <message>
        <source>The same, squared.</source>
        <translation>Wie Hinge, quadriert.</translation>
    </message>
    <message>
        <source>max(1 - y p, 0)^2</source>
        <translation>max(1 - y p, 0)^2</translation>
    </message>
    <message>
        <source>Classes, labels one-hot: the right one leads by 1.</source>
        <translation>Klassen, Labels one-hot: die richtige liegt um 1 vorn.</translation>
    </message>
    <message>
        <source>max(max((1 - y) p) - sum(y p) + 1, 0), one value per sample</source>
        <translation>max(max((1 - y) p) - sum(y p) + 1, 0), ein Wert je Beispiel</translation>
    </message>
    <message>
        <source>Counts.</source>
        <translation>Anzahlen.</translation>
    </message>
    <message>
        <source>p - y log(p + 1e-7)</source>
        <translation>p - y log(p + 1e-7)</translation>
    </message>
    <message>
        <source>How far a distribution is from that of the labels.</source>
        <translation>Wie weit eine Verteilung von der der Labels entfernt ist.</translation>
    </message>
    <message>
        <source>sum(y log(y / p)), both within 1e-7 and 1, one value per sample</source>
        <translation>sum(y log(y / p)), beide zwischen 1e-7 und 1, ein Wert je Beispiel</translation>
    </message>
    <message>
        <source>Directions: -1 where they are the same.</source>
        <translation>Richtungen: -1, wo sie gleich sind.</translation>
    </message>
    <message>
        <source>-sum(y p) / (|y| |p|), one value per sample</source>
        <translation>-sum(y p) / (|y| |p|), ein Wert je Beispiel</translation>
    </message>
    <message>
        <source>the last</source>
        <translation>die letzte</translation>
    </message>
    <message>
        <source>Steps against the gradient, with momentum if wanted.</source>
        <translation>Schritte gegen den Gradienten, auf Wunsch mit Momentum.</translation>
    </message>
    <message>
        <source>w -= lr g; with momentum v = m v - lr g, w += v (nesterov: w += m v - lr g)</source>
        <translation>w -= lr g; mit Momentum v = m v - lr g, w += v (nesterov: w += m v - lr g)</translation>
    </message>
    <message>
        <source>size of a step: a number, or a schedule that follows the updates</source>
        <translation>Größe eines Schritts: eine Zahl, oder ein Verlauf, der den Änderungen folgt</translation>
    </message>
    <message>
        <source>float or schedule</source>
        <translation>float oder Verlauf</translation>
    </message>
    <message>
        <source>the learning rate is divided by 1 + decay x updates</source>
        <translation>die Lernrate wird durch 1 + decay x Änderungen geteilt</translation>
    </message>
    <message>
        <source>share of the last step that goes on</source>
        <translation>Anteil des letzten Schritts, der weiterwirkt</translation>
    </message>
    <message>
        <source>look ahead along the momentum</source>
        <translation>in Richtung des Momentums vorausschauen</translation>
    </message>
    <message>
        <source>largest norm of a weight&apos;s gradient; None: any</source>
        <translation>größte Norm des Gradienten eines Gewichts; None: jede</translation>
    </message>
    <message>
        <source>largest size of a gradient&apos;s element; None: any</source>
        <translation>größter Betrag eines Elements eines Gradienten; None: jeder</translation>
    </message>
    <message>
        <source>largest norm of all gradients together; None: any</source>
        <translation>größte Norm aller Gradienten zusammen; None: jede</translation>
    </message>
    <message>
        <source>the loss is multiplied by it before gradients are taken, which are divided by it before they are used: keeps float16 gradients from vanishing; None: 1</source>
        <translation>der Loss wird vor dem Ableiten damit multipliziert, die Gradienten werden vor dem Gebrauch dadurch geteilt: so verschwinden Gradienten in float16 nicht; None: 1</translation>
    </message>
    <message>
        <source>Steps scaled by the recent size of each gradient.</source>
        <translation>Schritte, skaliert nach der jüngsten Größe jedes Gradienten.</translation>
    </message>
    <message>
        <source>s = rho s + (1-rho) g^2; w -= lr g / (sqrt(s) + eps); with momentum m: v = m v + lr g / sqrt(s + eps), w -= v; centered: s - mean(g)^2 in place of s under the root</source>
        <translation>s = rho s + (1-rho) g^2; w -= lr g / (sqrt(s) + eps); mit Momentum m: v = m v + lr g / sqrt(s + eps), w -= v; centered: s - mean(g)^2 statt s unter der Wurzel</translation>
    </message>
    <message>
        <source>memory of the squared gradient</source>
        <translation>Gedächtnis des quadrierten Gradienten</translation>
    </message>
    <message>
        <source>keeps the division finite</source>
        <translation>hält die Division endlich</translation>
    </message>
    <message>
        <source>subtract the squared mean of the gradient</source>
        <translation>das Quadrat des mittleren Gradienten abziehen</translation>
    </message>
    <message>
        <source>Momentum and scaling by recent gradients, corrected for the start.</source>
        <translation>Momentum und Skalierung nach jüngsten Gradienten, für den Anfang korrigiert.</translation>
    </message>
    <message>
        <source>m = b1 m + (1-b1) g; v = b2 v + (1-b2) g^2; w -= lr sqrt(1-b2^t)/(1-b1^t) m / (sqrt(v) + eps)</source>
        <translation>m = b1 m + (1-b1) g; v = b2 v + (1-b2) g^2; w -= lr sqrt(1-b2^t)/(1-b1^t) m / (sqrt(v) + eps)</translation>
    </message>
    <message>
        <source>memory of the gradient</source>
        <translation>Gedächtnis des Gradienten</translation>
    </message>
    <message>
        <source>use the largest squared gradient so far</source>
        <translation>den bisher größten quadrierten Gradienten nehmen</translation>
    </message>
    <message>
        <source>Momentum, scaled by the largest recent gradient.</source>
        <translation>Momentum, skaliert nach dem größten jüngsten Gradienten.</translation>
    </message>
    <message>
        <source>m = b1 m + (1-b1) g; v = max(b2 v, |g|); w -= lr/(1-b1^t) m / (v + eps)</source>
        <translation>m = b1 m + (1-b1) g; v = max(b2 v, |g|); w -= lr/(1-b1^t) m / (v + eps)</translation>
    </message>
    <message>
        <source>memory of the largest gradient</source>
        <translation>Gedächtnis des größten Gradienten</translation>
    </message>
    <message>
        <source>Steps of the size of earlier steps; a learning rate of 1 is its inventor&apos;s.</source>
        <translation>Schritte von der Größe früherer Schritte; die Lernrate seines Erfinders ist 1.</translation>
    </message>
    <message>
        <source>a = rho a + (1-rho) g^2; x = g sqrt(d + eps) / sqrt(a + eps); d = rho d + (1-rho) x^2; w -= lr x</source>
        <translation>a = rho a + (1-rho) g^2; x = g sqrt(d + eps) / sqrt(a + eps); d = rho d + (1-rho) x^2; w -= lr x</translation>
    </message>
    <message>
        <source>memory of the squares</source>
        <translation>Gedächtnis der Quadrate</translation>
    </message>
    <message>
        <source>Falls by the same share again and again.</source>
        <translation>Sinkt immer wieder um denselben Anteil.</translation>
    </message>
    <message>
        <source>initial_learning_rate decay_rate^(t / decay_steps)</source>
        <translation>initial_learning_rate decay_rate^(t / decay_steps)</translation>
    </message>
    <message>
        <source>rate of the first update</source>
        <translation>Lernrate der ersten Änderung</translation>
    </message>
    <message>
        <source>updates to which the rate of the decay refers</source>
        <translation>Änderungen, auf die sich decay_rate bezieht</translation>
    </message>
    <message>
        <source>what is left of the rate after decay_steps updates, as a share</source>
        <translation>was nach decay_steps Änderungen von der Lernrate übrig ist, als Anteil</translation>
    </message>
    <message>
        <source>falls only every decay_steps updates</source>
        <translation>sinkt nur alle decay_steps Änderungen</translation>
    </message>
    <message>
        <source>Is divided by what grows with the updates.</source>
        <translation>Wird durch etwas geteilt, das mit den Änderungen wächst.</translation>
    </message>
    <message>
        <source>initial_learning_rate / (1 + decay_rate t / decay_steps)</source>
        <translation>initial_learning_rate / (1 + decay_rate t / decay_steps)</translation>
    </message>
    <message>
        <source>how much the divisor grows in decay_steps updates</source>
        <translation>wie viel der Teiler in decay_steps Änderungen wächst</translation>
    </message>
    <message>
        <source>Falls to a last rate along a line or a power of it.</source>
        <translation>Sinkt auf eine letzte Lernrate, auf einer Geraden oder einer Potenz davon.</translation>
    </message>
    <message>
        <source>(initial_learning_rate - end) (1 - t / decay_steps)^power + end</source>
        <translation>(initial_learning_rate - end) (1 - t / decay_steps)^power + end</translation>
    </message>
    <message>
        <source>updates until the last rate</source>
        <translation>Änderungen bis zur letzten Lernrate</translation>
    </message>
    <message>
        <source>the last rate</source>
        <translation>die letzte Lernrate</translation>
    </message>
    <message>
        <source>1 falls along a line</source>
        <translation>1 sinkt auf einer Geraden</translation>
    </message>
    <message>
        <source>begins anew, each time for longer</source>
        <translation>beginnt von neuem, jedes Mal für länger</translation>
    </message>
    <message>
        <source>Falls along half a cosine, after a rise if wanted.</source>
        <translation>Sinkt auf einem halben Kosinus, auf Wunsch nach einem Anstieg.</translation>
    </message>
    <message>
        <source>rate ((1 - alpha) (1 + cos(pi t / decay_steps)) / 2 + alpha)</source>
        <translation>Lernrate ((1 - alpha) (1 + cos(pi t / decay_steps)) / 2 + alpha)</translation>
    </message>
    <message>
        <source>updates until the lowest rate</source>
        <translation>Änderungen bis zur kleinsten Lernrate</translation>
    </message>
    <message>
        <source>lowest rate, as a share of the highest</source>
        <translation>kleinste Lernrate, als Anteil der größten</translation>
    </message>
    <message>
        <source>rate to which it rises first; None: it does not</source>
        <translation>Lernrate, auf die sie zuerst steigt; None: sie steigt nicht</translation>
    </message>
    <message>
        <source>updates of the rise</source>
        <translation>Änderungen des Anstiegs</translation>
    </message>
    <message>
        <source>Falls along half a cosine and begins again.</source>
        <translation>Sinkt auf einem halben Kosinus und beginnt wieder.</translation>
    </message>
    <message>
        <source>CosineDecay in periods that grow by t_mul and shrink by m_mul</source>
        <translation>CosineDecay in Perioden, die um t_mul länger und um m_mul kleiner werden</translation>
    </message>
    <message>
        <source>updates of the first period</source>
        <translation>Änderungen der ersten Periode</translation>
    </message>
    <message>
        <source>each period is longer by that</source>
        <translation>um diesen Faktor ist jede Periode länger</translation>
    </message>
    <message>
        <source>each begins with the rate of the one before times that</source>
        <translation>jede beginnt mit der Lernrate der vorigen mal diesem Faktor</translation>
    </message>
    <message>
        <source>lowest rate, as a share of the initial one</source>
        <translation>kleinste Lernrate, als Anteil der ersten</translation>
    </message>
    <message>
        <source>Changes at given updates.</source>
        <translation>Wechselt bei angegebenen Änderungen.</translation>
    </message>
    <message>
        <source>values[i] for t up to boundaries[i]</source>
        <translation>values[i] für t bis boundaries[i]</translation>
    </message>
    <message>
        <source>last update of each rate but the last one</source>
        <translation>letzte Änderung jeder Lernrate außer der letzten</translation>
    </message>
    <message>
        <source>list of float</source>
        <translation>Liste von float</translation>
    </message>
    <message>
        <source>the rates, one more than boundaries</source>
        <translation>die Lernraten, eine mehr als boundaries</translation>
    </message>
    <message>
        <source>Share of outputs on the right side of the threshold.</source>
        <translation>Anteil der Ausgänge auf der richtigen Seite der Schwelle.</translation>
    </message>
    <message>
        <source>type of the sums</source>
        <translation>Typ der Summen</translation>
    </message>
    <message>
        <source>a prediction above it says yes</source>
        <translation>eine Vorhersage darüber heißt ja</translation>
    </message>
    <message>
        <source>Share of samples whose largest prediction is the labelled class (one-hot).</source>
        <translation>Anteil der Beispiele, deren größte Vorhersage die Klasse des Labels ist (one-hot).</translation>
    </message>
    <message>
        <source>Share of samples whose largest prediction is the labelled class.</source>
        <translation>Anteil der Beispiele, deren größte Vorhersage die Klasse des Labels ist.</translation>
    </message>
    <message>
        <source>Share of sequences in which every step&apos;s largest prediction is the labelled class. Not of Keras.</source>
        <translation>Anteil der Folgen, in denen bei jedem Schritt die größte Vorhersage die Klasse des Labels ist. Nicht aus Keras.</translation>
    </message>
    <message>
        <source>Mean squared error.</source>
        <translation>Mittlerer quadratischer Fehler.</translation>
    </message>
    <message>
        <source>Mean absolute error.</source>
        <translation>Mittlerer absoluter Fehler.</translation>
    </message>
    <message>
        <source>Mean crossentropy of yes-or-no outputs.</source>
        <translation>Mittlere Kreuzentropie von Ja-oder-nein-Ausgängen.</translation>
    </message>
    <message>
        <source>the predictions are logits</source>
        <translation>die Vorhersagen sind Logits</translation>
    </message>
    <message>
        <source>Mean crossentropy, labels one-hot.</source>
        <translation>Mittlere Kreuzentropie, Labels one-hot.</translation>
    </message>
    <message>
        <source>Mean crossentropy, labels as class numbers.</source>
        <translation>Mittlere Kreuzentropie, Labels als Klassennummern.</translation>
    </message>
    <message>
        <source>Share of predictions that equal their label.</source>
        <translation>Anteil der Vorhersagen, die ihrem Label gleichen.</translation>
    </message>
    <message>
        <source>Share of samples whose labelled class (one-hot) is among the k largest predictions.</source>
        <translation>Anteil der Beispiele, bei denen die Klasse des Labels (one-hot) unter den k größten Vorhersagen ist.</translation>
    </message>
    <message>
        <source>how many of the largest predictions count</source>
        <translation>wie viele der größten Vorhersagen zählen</translation>
    </message>
    <message>
        <source>Share of samples whose labelled class is among the k largest predictions.</source>
        <translation>Anteil der Beispiele, bei denen die Klasse des Labels unter den k größten Vorhersagen ist.</translation>
    </message>
    <message>
        <source>Mean error in percent of the label.</source>
        <translation>Mittlerer Fehler in Prozent des Labels.</translation>
    </message>
    <message>
        <source>Mean squared error of the logarithms.</source>
        <translation>Mittlerer quadratischer Fehler der Logarithmen.</translation>
    </message>
    <message>
        <source>Mean hinge loss.</source>
        <translation>Mittlerer Hinge-Loss.</translation>
    </message>
    <message>
        <source>Mean squared hinge loss.</source>
        <translation>Mittlerer quadrierter Hinge-Loss.</translation>
    </message>
    <message>
        <source>Mean hinge loss over classes.</source>
        <translation>Mittlerer Hinge-Loss über Klassen.</translation>
    </message>
    <message>
        <source>Mean of log(cosh(p - y)).</source>
        <translation>Mittel von log(cosh(p - y)).</translation>
    </message>
    <message>
        <source>Mean Poisson loss.</source>
        <translation>Mittlerer Poisson-Loss.</translation>
    </message>
    <message>
        <source>Mean divergence of the predicted distribution.</source>
        <translation>Mittlere Divergenz der vorhergesagten Verteilung.</translation>
    </message>
    <message>
        <source>Mean of the cosine between label and prediction.</source>
        <translation>Mittlerer Kosinus zwischen Label und Vorhersage.</translation>
    </message>
    <message>
        <source>loss; where outputs differ, a list with one for each, or an object with the outputs&apos; names</source>
        <translation>Loss; wo sich Ausgaben unterscheiden, eine Liste mit einem für jede, oder ein Objekt mit den Namen der Ausgaben</translation>
    </message>
    <message>
        <source>factor of each output&apos;s loss: a list, or an object with the outputs&apos; names; null: all 1</source>
        <translation>Faktor des Loss jeder Ausgabe: eine Liste, oder ein Objekt mit den Namen der Ausgaben; null: alle 1</translation>
    </message>
    <message>
        <source>factor of the loss of each class&apos;s samples: a list, or an object with the class numbers; null: all 1</source>
        <translation>Faktor des Loss der Beispiele jeder Klasse: eine Liste, oder ein Objekt mit den Nummern der Klassen; null: alle 1</translation>
    </message>
    <message>
        <source>optimizer: a name, or class_name and config</source>
        <translation>Optimierer: ein Name, oder class_name und config</translation>
    </message>
    <message>
        <source>blocks of a training loop of your own, in order: gradients, accumulate, all_reduce, clip, apply, while; empty: fit</source>
        <translation>Blöcke einer eigenen Trainingsschleife, der Reihe nach: gradients, accumulate, all_reduce, clip, apply, while; leer: fit</translation>
    </message>
    <message>
        <source>samples per step and replica (the micro-batch)</source>
        <translation>Beispiele je Schritt und Replika (der Micro-Batch)</translation>
    </message>
    <message>
        <source>passes over the data</source>
        <translation>Durchläufe durch die Daten</translation>
    </message>
    <message>
        <source>micro-batches per start of the program</source>
        <translation>Micro-Batches je Start des Programms</translation>
    </message>
    <message>
        <source>micro-batches whose gradients make one weight update</source>
        <translation>Micro-Batches, deren Gradienten eine Gewichtsänderung ergeben</translation>
    </message>
    <message>
        <source>how their gradients are combined</source>
        <translation>wie ihre Gradienten zusammengefasst werden</translation>
    </message>
    <message>
        <source>seed of initial weights, dropout and shuffling</source>
        <translation>Startwert für erste Gewichte, Dropout und Mischen</translation>
    </message>
    <message>
        <source>new order of the samples in each epoch</source>
        <translation>neue Reihenfolge der Beispiele in jeder Epoche</translation>
    </message>
    <message>
        <source>share of the data, from the end, kept for validation</source>
        <translation>Anteil der Daten, vom Ende her, der zur Validierung bleibt</translation>
    </message>
    <message>
        <source>filling and draining the pipeline takes over 20 % of its time</source>
        <translation>Füllen und Leeren der Pipeline nimmt über 20 % ihrer Zeit</translation>
    </message>
    <message>
        <source>IPUs wait over 5 % of the pipeline&apos;s time for slower stages</source>
        <translation>IPUs warten über 5 % der Zeit der Pipeline auf langsamere Stufen</translation>
    </message>
    <message>
        <source>the grouped schedule would take 5 % less of the pipeline&apos;s time</source>
        <translation>der gruppierte Plan (grouped) bräuchte 5 % weniger von der Zeit der Pipeline</translation>
    </message>
    <message>
        <source>metrics, like accuracy; lists by output&apos;s name, or one for each output, where they differ</source>
        <translation>Metriken, etwa accuracy; Listen nach den Namen der Ausgänge oder eine je Ausgang, wo sie sich unterscheiden</translation>
    </message>
    <message>
        <source>where a validation runs: own, in an executable of its own, which is loaded before it and the training&apos;s after it; shared, as an entry of the one that trains, over the same weights: nothing is loaded, and the tiles hold the code of both</source>
        <translation>wo eine Validierung läuft: own, in einem eigenen Executable, das vor ihr geladen wird und nach ihr das des Trainings; shared, als Einsprung in dem Executable, das trainiert, mit denselben Gewichten: nichts wird geladen, und die Tiles halten den Code von beiden</translation>
    </message>
    <message>
        <source>copies of the model, each with its own data; 1: as many as the system has IPUs for, or as ipu_config.auto_select_ipus asks for</source>
        <translation>Kopien des Modells, jede mit eigenen Daten; 1: so viele, wie das System IPUs hat oder ipu_config.auto_select_ipus verlangt</translation>
    </message>
    <message>
        <source>IPU of each pipeline stage, by its number in the replica: [0, 1, 1, 0]; several stages of one IPU run one after the other, which Interleaved does not take in training; null: an IPU of its own for each</source>
        <translation>IPU jeder Pipeline-Stufe, nach ihrer Nummer im Replikat: [0, 1, 1, 0]; mehrere Stufen einer IPU laufen nacheinander, was Interleaved im Training nicht annimmt; null: für jede eine eigene</translation>
    </message>
    <message>
        <source>Computes forward results again in the backward pass instead of keeping activations. In a pipeline every stage but the last is computed again from what it received, in front of its backward pass; elsewhere results of elementwise operations are, where their operands are kept anyway and the peak falls. The repetition takes cycles, code and room for its own results: whether the fullest tile needs less depends on the model and on the pipeline&apos;s schedule; `tilewright tune` compiles both. What changes state runs once and keeps its outputs.</source>
        <translation>Berechnet Ergebnisse des Hinwegs auf dem Rückweg noch einmal, statt Aktivierungen aufzuheben. In einer Pipeline wird jede Stufe außer der letzten vor ihrem Rückweg aus dem neu berechnet, was sie empfangen hat; sonst Ergebnisse elementweiser Operationen, wo ihre Operanden ohnehin aufgehoben werden und die Spitze sinkt. Die Wiederholung braucht Takte, Code und Platz für ihre eigenen Ergebnisse: Ob das vollste Tile weniger braucht, hängt vom Modell und vom Plan der Pipeline ab; `tilewright tune` kompiliert beides. Was einen Zustand ändert, läuft einmal, und seine Ergebnisse werden aufgehoben.</translation>
    </message>
    <message>
        <source>Planner options of every convolution. availableMemoryProportion: share of a tile&apos;s memory that the temporaries of a layer&apos;s convolution and of both its gradients may take each, above 0 up to 1, default 0.6; kept by computing a gradient in serial passes where no other plan does; where those do not either, what takes least is taken. partialsType: half or float (default), how the partial sums of float16 convolutions and of both their gradients are stored, in both modes: half rounds after every 16 channels (filters, positions) at an element of the kernel: such sums take half the memory and lose small addends. Whether a step takes fewer or more cycles depends on the plan that this leads to; `tilewright tune` compiles both. No effect on float32.</source>
        <translation>Planer-Optionen jeder Faltung. availableMemoryProportion: Anteil des Speichers eines Tiles, den die Zwischenwerte der Faltung einer Schicht und ihrer beiden Gradienten je nehmen dürfen, über 0 bis 1, Vorgabe 0.6; wo kein anderer Plan ihn einhält, wird ein Gradient in seriellen Durchgängen berechnet; wo auch das nicht reicht, gilt der Plan, der am wenigsten braucht. partialsType: half oder float (Vorgabe), wie die Partials von float16-Faltungen und ihren beiden Gradienten gespeichert werden, in beiden Modi: half rundet nach je 16 Kanälen (Filtern, Stellen) an einem Element des Kernels; solche Summen brauchen den halben Speicher und verlieren kleine Summanden. Ob ein Schritt weniger oder mehr Takte braucht, hängt vom Plan ab, der sich daraus ergibt; `tilewright tune` kompiliert beides. Keine Wirkung auf float32.</translation>
    </message>
    <message>
        <source>Does not tell the planner whether a product is forward, backward or weight update: each is planned alone. Otherwise those of a layer share one grid of tiles, on which its weights stay, where the planner expects fewer cycles of that.</source>
        <translation>Sagt dem Planer nicht, ob ein Produkt zum Vorwärtslauf, zum Rückwärtslauf oder zur Gewichtsänderung gehört: jedes wird für sich geplant. Sonst teilen sich die einer Schicht ein Raster von Tiles, auf dem ihre Gewichte bleiben, wo der Planer davon weniger Takte erwartet.</translation>
    </message>
    <message>
        <source>Planner options of every matrix product. availableMemoryProportion: share of a tile&apos;s memory that the temporaries of each product may take, above 0 up to 1, default 0.6; kept by computing a product in serial passes where no other plan does, those of a layer that share one grid of tiles in training, too; where passes do not either, what takes least is taken. partialsType: half or float (default), how the partial sums of float16 products are stored, in both modes: half rounds after every 16 inputs: such sums take half the memory and lose small addends. Whether a step takes fewer or more cycles depends on the plan that this leads to; `tilewright tune` compiles both. No effect on float32.</source>
        <translation>Planer-Optionen jedes Matrixprodukts. availableMemoryProportion: Anteil des Speichers eines Tiles, den die Zwischenwerte jedes Produkts nehmen dürfen, über 0 bis 1, Vorgabe 0.6; wo kein anderer Plan ihn einhält, wird ein Produkt in seriellen Durchgängen berechnet, auch die einer Schicht, die sich im Training ein Raster von Tiles teilen; wo auch das nicht reicht, gilt der Plan, der am wenigsten braucht. partialsType: half oder float (Vorgabe), wie die Partials von float16-Produkten gespeichert werden, in beiden Modi: half rundet nach je 16 Eingängen; solche Summen brauchen den halben Speicher und verlieren kleine Summanden. Ob ein Schritt weniger oder mehr Takte braucht, hängt vom Plan ab, der sich daraus ergibt; `tilewright tune` kompiliert beides. Keine Wirkung auf float32.</translation>
    </message>
    <message>
        <source>Subtracts the mean before squaring when a norm computes its variance, which loses fewer digits. For batch, group, layer and instance norm.</source>
        <translation>Zieht den Mittelwert vor dem Quadrieren ab, wenn eine Norm ihre Varianz berechnet; dabei gehen weniger Stellen verloren. Für Batch-, Gruppen-, Schicht- und Instanznorm.</translation>
    </message>
    <message>
        <source>Fuses lookups into the same table.</source>
        <translation>Fasst das Nachschlagen in derselben Tabelle zusammen.</translation>
    </message>
    <message>
        <source>One body of code for identical operations, where the compiler expects a tile to save more code than the copies to a common place take.</source>
        <translation>Gleicher Code für gleiche Operationen, wo der Compiler erwartet, dass ein Tile mehr Code spart, als die Kopien an einen gemeinsamen Ort brauchen.</translation>
    </message>
    <message>
        <source>Copies all tensors of an infeed in one transfer.</source>
        <translation>Kopiert alle Tensoren eines Infeeds in einer Übertragung.</translation>
    </message>
    <message>
        <source>Software model only: counts the bytes of tile code. Without it code sizes are missing.</source>
        <translation>Nur Softwaremodell: zählt die Bytes des Codes der Tiles. Ohne sie fehlen Codegrößen.</translation>
    </message>
    <message>
        <source>Architecture to compile for: required by PRE_COMPILE and NEVER, where it must be that of system.target; empty otherwise.</source>
        <translation>Architektur, für die kompiliert wird: bei PRE_COMPILE und NEVER nötig und dann die von system.target; sonst leer.</translation>
    </message>
    <message>
        <source>tiles wait over 15 % of the time for slower ones to finish their compute phases</source>
        <translation>Tiles warten über 15 % der Zeit auf langsamere, die ihre Rechenphasen beenden</translation>
    </message>
    <message>
        <source>exchange takes over 15 % of the time, though less than compute</source>
        <translation>der Austausch braucht über 15 % der Zeit, wenn auch weniger als das Rechnen</translation>
    </message>
    <message>
        <source>when the stages of a pipeline work: grouped, each forward and backward in every slot; interleaved, one of the two in turn, with half as many micro-batches waiting for their backward; sequential, one stage at a time</source>
        <translation>wann die Stufen einer Pipeline arbeiten: grouped, jede vorwärts und rückwärts in jedem Slot; interleaved, eines von beiden im Wechsel, wobei halb so viele Micro-Batches auf ihren Rückweg warten; sequential, eine Stufe zur Zeit</translation>
    </message>
</context>
<context>
    <name>tilewright::Message</name>
    <message>
        <source>epoch %1 (step %2)</source>
        <translation>Epoche %1 (Schritt %2)</translation>
    </message>
    <message>
        <source>the weights could not be saved during the training, which goes on: %1</source>
        <translation>die Gewichte ließen sich während des Trainings nicht speichern, es läuft weiter: %1</translation>
    </message>
    <message>
        <source>The project holds %1.</source>
        <translation>Das Projekt enthält %1.</translation>
    </message>
    <message>
        <source>The project holds %1 of an earlier run.</source>
        <translation>Das Projekt enthält %1 eines früheren Laufs.</translation>
    </message>
    <message>
        <source>`train PROJECT --resume last` continues from the weights in the project.</source>
        <translation>`train PROJECT --resume last` setzt mit den Gewichten im Projekt fort.</translation>
    </message>
    <message>
        <source>%1 holds %2.</source>
        <translation>%1 enthält %2.</translation>
    </message>
    <message>
        <source>`train PROJECT --resume %1` continues from the weights in the file.</source>
        <translation>`train PROJECT --resume %1` setzt mit den Gewichten in der Datei fort.</translation>
    </message>
    <message>
        <source>The weights are kept in %1.</source>
        <translation>Die Gewichte liegen in %1.</translation>
    </message>
    <message>
        <source>Only the weights are kept in %1: there was no room for the optimizer&apos;s state, which begins anew with --resume.</source>
        <translation>Nur die Gewichte liegen in %1: Für den Zustand des Optimierers war kein Platz, er beginnt mit --resume neu.</translation>
    </message>
    <message>
        <source>The disk did not confirm that it holds them: copy them to another disk before you switch off.</source>
        <translation>Der Datenträger hat nicht bestätigt, dass er sie enthält: Kopieren Sie sie vor dem Ausschalten auf einen anderen.</translation>
    </message>
    <message>
        <source>The weights belong to the model as it was trained. Restore that model in a copy of the project (in the workbench: Runs, Restore project); `tilewright train COPY --resume %1` then continues, and `evaluate` and `predict` read the file with --checkpoint.</source>
        <translation>Die Gewichte gehören zum Modell, wie es trainiert wurde. Stellen Sie dieses Modell in einer Kopie des Projekts wieder her (in der Workbench: Läufe, Projekt wiederherstellen); `tilewright train COPY --resume %1` setzt dann fort, und `evaluate` und `predict` lesen die Datei mit --checkpoint.</translation>
    </message>
    <message>
        <source>`tilewright train PROJECT --resume %1` continues from there, with a larger --epochs if all epochs are done; `evaluate` and `predict` read it with --checkpoint.</source>
        <translation>`tilewright train PROJECT --resume %1` setzt von dort fort, mit größerem --epochs, wenn alle Epochen fertig sind; `evaluate` und `predict` lesen sie mit --checkpoint.</translation>
    </message>
    <message>
        <source>No other place took the weights either: they are lost.</source>
        <translation>Auch an keinem anderen Ort ließen sich die Gewichte speichern: Sie sind verloren.</translation>
    </message>
    <message>
        <source>the weights could not be kept in the project: %1</source>
        <translation>die Gewichte ließen sich nicht im Projekt behalten: %1</translation>
    </message>
    <message>
        <source>Or give --checkpoint FILE.npz in a place that can be written.</source>
        <translation>Oder geben Sie --checkpoint DATEI.npz an einem Ort an, der sich beschreiben lässt.</translation>
    </message>
    <message>
        <source>the project keeps no weights of this run: %1</source>
        <translation>das Projekt behält keine Gewichte dieses Laufs: %1</translation>
    </message>
    <message>
        <source>The weights are written to %1.</source>
        <translation>Die Gewichte werden nach %1 geschrieben.</translation>
    </message>
    <message>
        <source>the trained weights could not be written there: %1</source>
        <translation>die trainierten Gewichte ließen sich dorthin nicht schreiben: %1</translation>
    </message>
    <message>
        <source>They are in the project, as checkpoint `last`.</source>
        <translation>Sie sind im Projekt, als Checkpoint `last`.</translation>
    </message>
    <message>
        <source>They are in %1.</source>
        <translation>Sie sind in %1.</translation>
    </message>
    <message>
        <source>this option belongs to the software model, but the program is compiled for a device.</source>
        <translation>diese Option gehört zum Softwaremodell, und das Programm wird nicht dafür übersetzt.</translation>
    </message>
    <message>
        <source>Set TF_POPLAR_FLAGS=--use_ipu_model, or the machine in system.target.</source>
        <translation>Setzen Sie TF_POPLAR_FLAGS=--use_ipu_model oder die Maschine in system.target.</translation>
    </message>
    <message>
        <source>this flag belongs to the software model, but the program is compiled for a device.</source>
        <translation>diese Angabe gehört zum Softwaremodell, und dafür wird das Programm nicht übersetzt.</translation>
    </message>
    <message>
        <source>Add --use_ipu_model, or set the tiles in system.target.</source>
        <translation>Nehmen Sie --use_ipu_model hinzu, oder setzen Sie die Tiles in system.target.</translation>
    </message>
    <message>
        <source>ipu_config.ipu_model.tiles_per_ipu is set as well and takes precedence.</source>
        <translation>ipu_config.ipu_model.tiles_per_ipu ist gesetzt und hat Vorrang.</translation>
    </message>
    <message>
        <source>Set only one of the two.</source>
        <translation>Setzen Sie nur eines von beiden.</translation>
    </message>
    <message>
        <source>the program attaches to its device at once: this flag only affects waiting for a device.</source>
        <translation>das Programm belegt sein Gerät sofort: diese Angabe sagt nur, wie auf eines gewartet wird.</translation>
    </message>
    <message>
        <source>Set ipu_config.device_connection.type to ON_DEMAND.</source>
        <translation>Setzen Sie ipu_config.device_connection.type auf ON_DEMAND.</translation>
    </message>
    <message>
        <source>It is compiled again.</source>
        <translation>Es wird neu kompiliert.</translation>
    </message>
    <message>
        <source>the %1 validation samples are not a multiple of %2, the smallest number that fills the pipelines of all replicas.</source>
        <translation>%1 Beispiele zum Validieren sind kein Vielfaches von %2, was alle Replikate zusammen, mit vollen Pipelines, in einem Durchgang mindestens nehmen.</translation>
    </message>
    <message>
        <source>Hold out a multiple of this number (training.validation_split, data.limit), or set training.validation_executable to own.</source>
        <translation>Halten Sie ein Vielfaches davon zurück (training.validation_split, data.limit), oder setzen Sie training.validation_executable auf own.</translation>
    </message>
    <message>
        <source>the %1 samples are evaluated in batches of %2, the size nearest to the batch size %3 that divides them.</source>
        <translation>%1 Beispiele werden in Batches von %2 ausgewertet: Keine Größe, die der Batch-Größe %3 näher wäre, teilt sie.</translation>
    </message>
    <message>
        <source>Give or hold out a multiple of the batch size (training.validation_split, data.limit).</source>
        <translation>Geben Sie ein Vielfaches der Batch-Größe an, oder halten Sie eines zurück (training.validation_split, data.limit).</translation>
    </message>
    <message>
        <source>a stateful layer on %1 replicas is not supported yet: each replica would have a state of its own, and a checkpoint holds one.</source>
        <translation>Eine zustandsbehaftete Schicht auf %1 Replikas wird noch nicht unterstützt: Jede Replika hätte ihren eigenen Zustand, und ein Checkpoint enthält nur einen.</translation>
    </message>
    <message>
        <source>Set stateful to false, or use as many IPUs as the model needs (system.target, training.replicas).</source>
        <translation>Setzen Sie stateful auf false, oder nehmen Sie so viele IPUs, wie das Modell braucht (system.target, training.replicas).</translation>
    </message>
    <message>
        <source>there is no operation &apos;%1&apos;.</source>
        <translation>Keine Art von Operation heißt „%1“.</translation>
    </message>
    <message>
        <source>Operations: %1.</source>
        <translation>Arten: %1.</translation>
    </message>
    <message>
        <source>Did you mean &apos;%1&apos;?</source>
        <translation>Meinten Sie „%1“?</translation>
    </message>
    <message>
        <source>%1 has no argument &apos;%2&apos;.</source>
        <translation>%1 hat kein Argument „%2“.</translation>
    </message>
    <message>
        <source>Arguments: %1.</source>
        <translation>Argumente: %1.</translation>
    </message>
    <message>
        <source>%1=%2 is neither 0 nor 1.</source>
        <translation>%1=%2 ist weder 0 noch 1.</translation>
    </message>
    <message>
        <source>Give 1 for yes, 0 for no.</source>
        <translation>Geben Sie 1 für ja, 0 für nein an.</translation>
    </message>
    <message>
        <source>%1=%2 is out of range.</source>
        <translation>%1=%2 liegt außerhalb des Bereichs.</translation>
    </message>
    <message>
        <source>Give a number from 1 to %1.</source>
        <translation>Geben Sie eine Zahl von 1 bis %1 an.</translation>
    </message>
    <message>
        <source>%1 needs &apos;%2&apos;.</source>
        <translation>%1 braucht „%2“.</translation>
    </message>
    <message>
        <source>%1 of %2 has no price in the cost model.</source>
        <translation>%1 mit %2 hat im Kostenmodell keinen Preis.</translation>
    </message>
    <message>
        <source>Choose f16 or f32.</source>
        <translation>Wählen Sie f16 oder f32.</translation>
    </message>
    <message>
        <source>a single operation can only be compiled for an IPU.</source>
        <translation>eine Operation wird für eine IPU kompiliert.</translation>
    </message>
    <message>
        <source>Choose a target with tiles, such as gc200.</source>
        <translation>Wählen Sie ein Ziel mit Tiles, etwa gc200.</translation>
    </message>
    <message>
        <source>%1 channels and %2 filters cannot be cut into %3 groups.</source>
        <translation>%1 Kanäle und %2 Filter lassen sich nicht in %3 Gruppen teilen.</translation>
    </message>
    <message>
        <source>Give a number that divides both.</source>
        <translation>Geben Sie eine Zahl an, die beide teilt.</translation>
    </message>
    <message>
        <source>a kernel of %1 does not fit %2 positions.</source>
        <translation>ein Kernel von %1 passt nicht in %2 Positionen.</translation>
    </message>
    <message>
        <source>Give a larger %1 or leave --valid out.</source>
        <translation>Geben Sie ein größeres %1 an oder lassen Sie --valid weg.</translation>
    </message>
    <message>
        <source>there is no elementwise operation &apos;%1&apos;.</source>
        <translation>Keine elementweise Operation heißt „%1“.</translation>
    </message>
    <message>
        <source>`tilewright ops` lists them.</source>
        <translation>Siehe `ops`.</translation>
    </message>
    <message>
        <source>there is no exchange pattern &apos;%1&apos;.</source>
        <translation>Kein Austauschmuster heißt „%1“.</translation>
    </message>
    <message>
        <source>Patterns: all_to_all, broadcast, neighbour, gather.</source>
        <translation>Muster: all_to_all, broadcast, neighbour, gather.</translation>
    </message>
    <message>
        <source>a collective has at most 64 replicas.</source>
        <translation>eine kollektive Operation hat höchstens 64 Replikas.</translation>
    </message>
    <message>
        <source>Give a number from 1 to 64.</source>
        <translation>Geben Sie eine Zahl von 1 bis 64 an.</translation>
    </message>
    <message>
        <source>%1 has one IPU: the collective is priced on a system of %2 such IPUs.</source>
        <translation>%1 hat eine IPU: Die kollektive Operation wird auf einem System mit %2 solchen IPUs berechnet.</translation>
    </message>
    <message>
        <source>%1 has %2 IPUs: the collective is priced on a system of %3 such IPUs.</source>
        <translation>%1 hat %2 IPUs: Die kollektive Operation wird auf einem System mit %3 solchen IPUs berechnet.</translation>
    </message>
    <message>
        <source>Choose a --target with that many IPUs, such as pod16, to use its links.</source>
        <translation>Wählen Sie ein --target mit so vielen IPUs, etwa pod16, um dessen Verbindungen zu haben.</translation>
    </message>
    <message>
        <source>this is not a JSON object</source>
        <translation>das ist kein JSON-Objekt</translation>
    </message>
    <message>
        <source>Write it like {&quot;%1&quot;: &quot;…&quot;}.</source>
        <translation>Schreiben Sie es wie {&quot;%1&quot;: &quot;…&quot;}.</translation>
    </message>
    <message>
        <source>this is not JSON</source>
        <translation>das ist kein JSON</translation>
    </message>
    <message>
        <source>this variable is set, but the program does not read it</source>
        <translation>diese Variable ist gesetzt, aber nichts hier liest sie</translation>
    </message>
    <message>
        <source>the quote at character %1 is not closed</source>
        <translation>das Anführungszeichen bei Zeichen %1 ist nicht geschlossen</translation>
    </message>
    <message>
        <source>Close it, or remove it.</source>
        <translation>Schließen oder entfernen Sie es.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; does not start with --</source>
        <translation>„%1“ beginnt nicht mit --</translation>
    </message>
    <message>
        <source>Write --name or --name=value.</source>
        <translation>Schreiben Sie --name oder --name=wert.</translation>
    </message>
    <message>
        <source>this flag was removed</source>
        <translation>diesen Schalter gibt es nicht mehr</translation>
    </message>
    <message>
        <source>Leave it out.</source>
        <translation>Lassen Sie es weg.</translation>
    </message>
    <message>
        <source>the value is missing</source>
        <translation>der Wert fehlt</translation>
    </message>
    <message>
        <source>Write --%1=VALUE; it must be %2.</source>
        <translation>Schreiben Sie --%1=WERT; er muss %2 sein.</translation>
    </message>
    <message>
        <source>the category %1 has no effect yet: no stream carries it</source>
        <translation>die Kategorie %1 hat noch keine Wirkung: nichts überträgt sie</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a category of data</source>
        <translation>„%1“ ist keine Kategorie von Daten</translation>
    </message>
    <message>
        <source>Categories are %1.</source>
        <translation>Kategorien sind %1.</translation>
    </message>
    <message>
        <source>Did you mean %1? Categories are %2.</source>
        <translation>Meinten Sie %1? Kategorien sind %2.</translation>
    </message>
    <message>
        <source>no data is synthetic</source>
        <translation>keine Daten sind synthetisch</translation>
    </message>
    <message>
        <source>Add --use_synthetic_data or --synthetic_data_categories, or leave it out.</source>
        <translation>Fügen Sie --use_synthetic_data oder --synthetic_data_categories hinzu, oder lassen Sie es weg.</translation>
    </message>
    <message>
        <source>tensors cannot be filled with &quot;%1&quot;</source>
        <translation>Tensoren lassen sich nicht mit „%1“ füllen</translation>
    </message>
    <message>
        <source>It must be uniform, normal or a number.</source>
        <translation>Es muss uniform, normal oder eine Zahl sein.</translation>
    </message>
    <message>
        <source>this is a category of options, not an option</source>
        <translation>das ist eine Gruppe von Optionen, keine Option</translation>
    </message>
    <message>
        <source>Name one option in it.</source>
        <translation>Nennen Sie eine Option darin.</translation>
    </message>
    <message>
        <source>Name one option in it, for example %1.</source>
        <translation>Nennen Sie eine Option darin, zum Beispiel %1.</translation>
    </message>
    <message>
        <source>Give an object with its options.</source>
        <translation>Geben Sie ein Objekt mit ihren Optionen an.</translation>
    </message>
    <message>
        <source>%1 and it is ignored</source>
        <translation>%1, und wird nicht beachtet</translation>
    </message>
    <message>
        <source>this entry is not set</source>
        <translation>dieser Eintrag ist nicht gesetzt</translation>
    </message>
    <message>
        <source>Set it first, or read the whole option.</source>
        <translation>Setzen Sie ihn zuerst, oder lesen Sie die ganze Option.</translation>
    </message>
    <message>
        <source>%1 is not text</source>
        <translation>%1 ist kein Text</translation>
    </message>
    <message>
        <source>An entry of a dictionary option must be text.</source>
        <translation>Ein Eintrag einer Wörterbuch-Option muss ein Text sein.</translation>
    </message>
    <message>
        <source>the configuration is not a JSON object</source>
        <translation>die Konfiguration ist kein JSON-Objekt</translation>
    </message>
    <message>
        <source>Give an object of option names and values.</source>
        <translation>Geben Sie ein Objekt aus Optionsnamen und Werten an.</translation>
    </message>
    <message>
        <source>one option is missing and keeps its value: %1</source>
        <translation>eine Option fehlt und behält ihren Wert: %1</translation>
    </message>
    <message>
        <source>%1 options are missing and keep their values: %2</source>
        <translation>%1 Optionen fehlen und behalten ihre Werte: %2</translation>
    </message>
    <message>
        <source>the configuration is not JSON text</source>
        <translation>die Konfiguration ist kein JSON-Text</translation>
    </message>
    <message>
        <source>one of %1</source>
        <translation>eines von %1</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not %2</source>
        <translation>„%1“ ist nicht %2</translation>
    </message>
    <message>
        <source>It must be %1.</source>
        <translation>Es muss %1 sein.</translation>
    </message>
    <message>
        <source>Did you mean %1? It must be %2.</source>
        <translation>Meinten Sie %1? Es muss %2 sein.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a verbose level</source>
        <translation>„%1“ ist keine Stufe der Ausführlichkeit</translation>
    </message>
    <message>
        <source>Give an integer of at least 0.</source>
        <translation>Geben Sie eine ganze Zahl ab 0 an.</translation>
    </message>
    <message>
        <source>a log level</source>
        <translation>eine Stufe des Protokolls</translation>
    </message>
    <message>
        <source>a component of the log</source>
        <translation>ein Teil des Protokolls</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has no level</source>
        <translation>„%1“ hat keine Stufe</translation>
    </message>
    <message>
        <source>Write COMPONENT=LEVEL, for example compiler=DEBUG or all=INFO.</source>
        <translation>Schreiben Sie KOMPONENTE=STUFE, zum Beispiel compiler=DEBUG oder all=INFO.</translation>
    </message>
    <message>
        <source>Write file=level,file=level.</source>
        <translation>Schreiben Sie datei=stufe,datei=stufe.</translation>
    </message>
    <message>
        <source>no component logs for &quot;%1&quot;</source>
        <translation>nichts hier protokolliert für „%1“</translation>
    </message>
    <message>
        <source>Components are %1.</source>
        <translation>Komponenten sind %1.</translation>
    </message>
    <message>
        <source>%1 is not of its type</source>
        <translation>%1 ist nicht von ihrem Typ</translation>
    </message>
    <message>
        <source>%1 is out of range</source>
        <translation>%1 liegt außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>the text has control characters or is not UTF-8</source>
        <translation>der Text enthält Steuerzeichen oder ist kein UTF-8</translation>
    </message>
    <message>
        <source>Give it as one line of UTF-8 text.</source>
        <translation>Geben Sie ihn als eine Zeile UTF-8 an.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not one of its values</source>
        <translation>„%1“ ist keiner seiner Werte</translation>
    </message>
    <message>
        <source>%1 is not a count</source>
        <translation>%1 ist keine Anzahl</translation>
    </message>
    <message>
        <source>It must be an integer of at least 0 or %1.</source>
        <translation>Es muss eine ganze Zahl ab 0 oder %1 sein.</translation>
    </message>
    <message>
        <source>%1 cannot be an entry of a dictionary option</source>
        <translation>%1 kann kein Eintrag einer Wörterbuch-Option sein</translation>
    </message>
    <message>
        <source>Give text, a number, true or false.</source>
        <translation>Geben Sie einen Text, eine Zahl, true oder false an.</translation>
    </message>
    <message>
        <source>an entry has no key</source>
        <translation>ein Eintrag hat keinen Schlüssel</translation>
    </message>
    <message>
        <source>Every entry needs a key.</source>
        <translation>Jeder Eintrag braucht einen Schlüssel.</translation>
    </message>
    <message>
        <source>Give half or float.</source>
        <translation>Geben Sie half oder float an.</translation>
    </message>
    <message>
        <source>Write half instead.</source>
        <translation>Schreiben Sie stattdessen half.</translation>
    </message>
    <message>
        <source>Write float instead.</source>
        <translation>Schreiben Sie stattdessen float.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a type of partial results</source>
        <translation>„%1“ ist kein Typ von Teilergebnissen</translation>
    </message>
    <message>
        <source>this key is not known and has no effect</source>
        <translation>dieser Schlüssel ist unbekannt und hat keine Wirkung</translation>
    </message>
    <message>
        <source>Did you mean %1?</source>
        <translation>Meinten Sie %1?</translation>
    </message>
    <message>
        <source>this key is kept but has no effect yet in this version</source>
        <translation>dieser Schlüssel bleibt erhalten, hat in dieser Version aber noch keine Wirkung</translation>
    </message>
    <message>
        <source>Write %1.0 instead.</source>
        <translation>Schreiben Sie stattdessen %1.0.</translation>
    </message>
    <message>
        <source>a list that holds %1</source>
        <translation>eine Liste mit %1</translation>
    </message>
    <message>
        <source>a number with a decimal point from %1 to %2</source>
        <translation>eine Zahl mit Dezimalpunkt von %1 bis %2</translation>
    </message>
    <message>
        <source>a number with a decimal point of at least %1</source>
        <translation>eine Zahl mit Dezimalpunkt ab %1</translation>
    </message>
    <message>
        <source>a number with a decimal point of at most %1</source>
        <translation>eine Zahl mit Dezimalpunkt bis %1</translation>
    </message>
    <message>
        <source>a number with a decimal point</source>
        <translation>eine Zahl mit Dezimalpunkt</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true oder false</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>a path</source>
        <translation>ein Pfad</translation>
    </message>
    <message>
        <source>a dictionary of text, as in {&quot;key&quot;: &quot;value&quot;}</source>
        <translation>ein Wörterbuch aus Texten, wie in {&quot;key&quot;: &quot;value&quot;}</translation>
    </message>
    <message>
        <source>%1 or a list of them</source>
        <translation>%1 oder eine Liste davon</translation>
    </message>
    <message>
        <source>there is no option of this name</source>
        <translation>eine Option dieses Namens gibt es nicht</translation>
    </message>
    <message>
        <source>`tilewright options` lists all options.</source>
        <translation>`tilewright options` nennt alle Optionen.</translation>
    </message>
    <message>
        <source>this option is deprecated</source>
        <translation>diese Option ist überholt</translation>
    </message>
    <message>
        <source>this option is kept but has no effect yet in this version</source>
        <translation>diese Option bleibt erhalten, hat in dieser Version aber noch keine Wirkung</translation>
    </message>
    <message>
        <source>the value %1 is kept but has no effect yet in this version</source>
        <translation>der Wert %1 bleibt erhalten, hat in dieser Version aber noch keine Wirkung</translation>
    </message>
    <message>
        <source>of the features that this option turns on, only %1 has an effect in this version</source>
        <translation>von dem, was diese Option einschaltet, wirkt in dieser Version bisher nur %1</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a selection order</source>
        <translation>„%1“ ist keine Auswahlreihenfolge</translation>
    </message>
    <message>
        <source>It must be one of %1.</source>
        <translation>Es muss eines sein von %1.</translation>
    </message>
    <message>
        <source>a device cannot have %1 IPUs</source>
        <translation>ein Gerät kann nicht %1 IPUs haben</translation>
    </message>
    <message>
        <source>The number of IPUs of a device is a power of two.</source>
        <translation>Die Zahl der IPUs eines Geräts ist eine Zweierpotenz.</translation>
    </message>
    <message>
        <source>a system cannot have %1 IPUs</source>
        <translation>ein System kann nicht %1 IPUs haben</translation>
    </message>
    <message>
        <source>the device has %1 IPUs and the model needs %2 per replica</source>
        <translation>das Gerät hat %1 IPUs, und das Modell braucht %2 je Replika</translation>
    </message>
    <message>
        <source>The number per replica must divide the number of IPUs.</source>
        <translation>Die Zahl je Replika muss die Zahl der IPUs teilen.</translation>
    </message>
    <message>
        <source>%1 requests %2 devices, but a project runs on one, /device:IPU:0</source>
        <translation>%1 verlangt %2 Geräte, und ein Projekt läuft auf einem, /device:IPU:0</translation>
    </message>
    <message>
        <source>Give one device id: replicas and pipeline stages share the IPUs of one device.</source>
        <translation>Geben Sie eine Gerätenummer an: Replikas und Pipeline-Stufen teilen sich die IPUs eines Geräts.</translation>
    </message>
    <message>
        <source>Give one number of IPUs: replicas and pipeline stages share the IPUs of one device.</source>
        <translation>Geben Sie eine Zahl von IPUs an: Replikas und Pipeline-Stufen teilen sich die IPUs eines Geräts.</translation>
    </message>
    <message>
        <source>no device has %1 IPUs: their number is a power of two</source>
        <translation>kein Gerät hat %1 IPUs: ihre Zahl ist eine Zweierpotenz</translation>
    </message>
    <message>
        <source>Give %1 or %2.</source>
        <translation>Geben Sie %1 oder %2 an.</translation>
    </message>
    <message>
        <source>auto_select_ipus and select_ipus are both given</source>
        <translation>auto_select_ipus und select_ipus sind beide gesetzt</translation>
    </message>
    <message>
        <source>Give only one of them.</source>
        <translation>Setzen Sie nur eines davon.</translation>
    </message>
    <message>
        <source>a device id is given twice</source>
        <translation>eine Gerätenummer ist doppelt angegeben</translation>
    </message>
    <message>
        <source>Give each id once.</source>
        <translation>Nennen Sie jede Nummer einmal.</translation>
    </message>
    <message>
        <source>the software model has no device ids</source>
        <translation>das Softwaremodell hat keine Gerätenummern</translation>
    </message>
    <message>
        <source>Use auto_select_ipus with the software model.</source>
        <translation>Nehmen Sie beim Softwaremodell auto_select_ipus.</translation>
    </message>
    <message>
        <source>the system has no device with %1 IPUs for %2; it has one IPU</source>
        <translation>das System hat kein Gerät mit %1 IPUs für %2; es hat eine IPU</translation>
    </message>
    <message>
        <source>the system has no device with %1 IPUs for %2; it has %3 IPUs</source>
        <translation>das System hat kein Gerät mit %1 IPUs für %2; es hat %3 IPUs</translation>
    </message>
    <message>
        <source>Give a power of two that the system holds; `tilewright devices` lists them.</source>
        <translation>Geben Sie eine Zweierpotenz an, die das System fasst; `tilewright devices` nennt sie.</translation>
    </message>
    <message>
        <source>the system has no device id %1 for %2</source>
        <translation>das System hat keine Gerätenummer %1 für %2</translation>
    </message>
    <message>
        <source>Its ids are 0 to %1; `tilewright devices` lists them.</source>
        <translation>Seine Nummern sind 0 bis %1; `tilewright devices` nennt sie.</translation>
    </message>
    <message>
        <source>the group has no replica</source>
        <translation>die Gruppe hat keine Replika</translation>
    </message>
    <message>
        <source>Give 1 or more.</source>
        <translation>Geben Sie 1 oder mehr an.</translation>
    </message>
    <message>
        <source>distributed batch norm does not work together with IO tiles</source>
        <translation>verteilte Batch-Norm geht nicht zusammen mit IO-Tiles</translation>
    </message>
    <message>
        <source>Set it to 1, or io_tiles.num_io_tiles to 0.</source>
        <translation>Setzen Sie es auf 1, oder io_tiles.num_io_tiles auf 0.</translation>
    </message>
    <message>
        <source>groups of %1 do not divide one replica</source>
        <translation>Gruppen von %1 teilen eine Replika nicht</translation>
    </message>
    <message>
        <source>groups of %1 do not divide %2 replicas</source>
        <translation>Gruppen von %1 teilen %2 Replikas nicht</translation>
    </message>
    <message>
        <source>Give a divisor of the number of replicas.</source>
        <translation>Geben Sie einen Teiler der Zahl der Replikas an.</translation>
    </message>
    <message>
        <source>process %1 of %2 does not exist</source>
        <translation>Prozess %1 von %2 gibt es nicht</translation>
    </message>
    <message>
        <source>Give 0 to %1.</source>
        <translation>Geben Sie 0 bis %1 an.</translation>
    </message>
    <message>
        <source>replicas cannot be distributed over processes on the software model</source>
        <translation>auf dem Softwaremodell lassen sich Replikas nicht auf Prozesse verteilen</translation>
    </message>
    <message>
        <source>Set it to 0, or use a device.</source>
        <translation>Setzen Sie es auf 0, oder nehmen Sie ein Gerät.</translation>
    </message>
    <message>
        <source>there are no IO tiles to place operations on</source>
        <translation>es gibt keine IO-Tiles, auf die Operationen gelegt werden könnten</translation>
    </message>
    <message>
        <source>Set io_tiles.num_io_tiles to 1 to 192.</source>
        <translation>Setzen Sie io_tiles.num_io_tiles auf 1 bis 192.</translation>
    </message>
    <message>
        <source>with type %1 the version of the device must be set</source>
        <translation>%1 sagt nicht, wofür kompiliert werden soll</translation>
    </message>
    <message>
        <source>Set it to ipu1, ipu2 or ipu21.</source>
        <translation>Setzen Sie es auf ipu1, ipu2 oder ipu21.</translation>
    </message>
    <message>
        <source>with type %1 the device determines its version</source>
        <translation>bei %1 nennt das Gerät selbst seine Version</translation>
    </message>
    <message>
        <source>Leave it empty, or set device_connection.type to PRE_COMPILE or NEVER.</source>
        <translation>Lassen Sie es leer, oder setzen Sie device_connection.type auf PRE_COMPILE oder NEVER.</translation>
    </message>
    <message>
        <source>the software model has no version</source>
        <translation>das Softwaremodell hat keine Version</translation>
    </message>
    <message>
        <source>Set it to ipu1 or ipu2.</source>
        <translation>Setzen Sie es auf ipu1 oder ipu2.</translation>
    </message>
    <message>
        <source>the software model ignores traps, NaN on overflow and stochastic rounding</source>
        <translation>das Softwaremodell beachtet weder Traps noch NaN bei Überlauf noch stochastisches Runden</translation>
    </message>
    <message>
        <source>Use a device to have them.</source>
        <translation>Nehmen Sie ein Gerät, um sie zu haben.</translation>
    </message>
    <message>
        <source>%1 is rounded up to %2</source>
        <translation>%1 wird auf %2 aufgerundet</translation>
    </message>
    <message>
        <source>%1 tiles of each IPU are reserved for transfers</source>
        <translation>%1 Tiles jeder IPU sind für Übertragungen reserviert</translation>
    </message>
    <message>
        <source>the current configuration is reset: the program waits for running programs, resets the devices and drops compiled programs in memory</source>
        <translation>die jetzige Konfiguration wird zurückgesetzt: laufende Programme werden abgewartet, Geräte zurückgesetzt und kompilierte Programme im Speicher verworfen</translation>
    </message>
    <message>
        <source>cannot lock the file: %1.</source>
        <translation>die Datei kann nicht gesperrt werden: %1.</translation>
    </message>
    <message>
        <source>another process holds the lock for over %1 ms.</source>
        <translation>ein anderer Prozess hält die Sperre seit über %1 ms.</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1: %2.</translation>
    </message>
    <message>
        <source>this is a pipe, not a file.</source>
        <translation>das ist eine Pipe, keine Datei.</translation>
    </message>
    <message>
        <source>Write its content to a file first.</source>
        <translation>Schreiben Sie zuerst in eine Datei, was sie liefert.</translation>
    </message>
    <message>
        <source>cannot open the file</source>
        <translation>die Datei lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>cannot read the file</source>
        <translation>die Datei lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>cannot create the folder</source>
        <translation>der Ordner lässt sich nicht anlegen</translation>
    </message>
    <message>
        <source>the folder belongs to another user.</source>
        <translation>der Ordner gehört jemand anderem.</translation>
    </message>
    <message>
        <source>a file has the name of the folder that is needed.</source>
        <translation>wo ein Ordner gebraucht wird, steht eine Datei.</translation>
    </message>
    <message>
        <source>cannot write into the folder</source>
        <translation>in den Ordner lässt sich nicht schreiben</translation>
    </message>
    <message>
        <source>the process&apos;s control group allows no more</source>
        <translation>seine Control Group erlaubt nicht mehr</translation>
    </message>
    <message>
        <source>the limit on address space (ulimit -v) allows no more</source>
        <translation>die Grenze des Adressraums (ulimit -v) erlaubt nicht mehr</translation>
    </message>
    <message>
        <source>the limit on data (ulimit -d) allows no more</source>
        <translation>die Grenze der Daten (ulimit -d) erlaubt nicht mehr</translation>
    </message>
    <message>
        <source>%1 does not fit in the host&apos;s memory: it needs about %2, and %3 are available (%4).</source>
        <translation>%1 passt nicht in den Speicher des Hosts: nötig sind etwa %2, zu haben sind %3 (%4).</translation>
    </message>
    <message>
        <source>%1 does not fit in the host&apos;s memory: the system refused to give more.</source>
        <translation>%1 passt nicht in den Speicher des Hosts: das System gab nicht mehr.</translation>
    </message>
    <message>
        <source>Close other programs, raise the process&apos;s limits (ulimit -v), make model, batch or data smaller, or use a machine with more memory.</source>
        <translation>Schließen Sie andere Programme, heben Sie die Grenzen des Prozesses an (ulimit -v), machen Sie Modell, Batch oder Daten kleiner, oder nehmen Sie einen Rechner mit mehr Speicher.</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>the JSON text has more than %1 bytes.</source>
        <translation>der JSON-Text hat mehr als %1 Bytes.</translation>
    </message>
    <message>
        <source>the JSON text is nested more than %1 levels deep.</source>
        <translation>der JSON-Text ist mehr als %1 Ebenen tief verschachtelt.</translation>
    </message>
    <message>
        <source>this is not valid JSON: the text ends too early.</source>
        <translation>das ist kein gültiges JSON: der Text endet zu früh.</translation>
    </message>
    <message>
        <source>this is not valid JSON: an error at %1.</source>
        <translation>das ist kein gültiges JSON: ein Fehler bei %1.</translation>
    </message>
    <message>
        <source>Correct it there.</source>
        <translation>Berichtigen Sie es dort.</translation>
    </message>
    <message>
        <source>this is not valid JSON: a number is out of range.</source>
        <translation>das ist kein gültiges JSON: eine Zahl ist zu groß.</translation>
    </message>
    <message>
        <source>there is no limit &apos;%1&apos;.</source>
        <translation>es gibt keine Grenze „%1“.</translation>
    </message>
    <message>
        <source>Limits are %1.</source>
        <translation>Grenzen sind %1.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a value of %2.</source>
        <translation>„%1“ ist kein Wert von %2.</translation>
    </message>
    <message>
        <source>Write %1=NUMBER, from 1 to %2.</source>
        <translation>Schreiben Sie %1=ZAHL, von 1 bis %2.</translation>
    </message>
    <message>
        <source>The limit is %1=%2; read a file that you trust with `--limit %1=NUMBER`.</source>
        <translation>Die Grenze ist %1=%2; eine Datei, der Sie trauen, lesen Sie mit `--limit %1=ZAHL`.</translation>
    </message>
    <message>
        <source>the system gave only %1 of %2 threads: the run continues with them, more slowly and with the same results.</source>
        <translation>das System gab %1 von %2 Threads; der Lauf geht mit ihnen weiter, langsamer und mit denselben Zahlen.</translation>
    </message>
    <message>
        <source>Request fewer threads (--threads), or raise the limits on processes and address space (ulimit -u, ulimit -v).</source>
        <translation>Verlangen Sie weniger (--threads), oder heben Sie die Grenzen für Prozesse und Adressraum an (ulimit -u, ulimit -v).</translation>
    </message>
    <message>
        <source>an integer from %1 to %2</source>
        <translation>eine ganze Zahl von %1 bis %2</translation>
    </message>
    <message>
        <source>an integer of at least %1</source>
        <translation>eine ganze Zahl ab %1</translation>
    </message>
    <message>
        <source>an integer of at most %1</source>
        <translation>eine ganze Zahl bis %1</translation>
    </message>
    <message>
        <source>an integer</source>
        <translation>eine ganze Zahl</translation>
    </message>
    <message>
        <source>a number from %1 to %2</source>
        <translation>eine Zahl von %1 bis %2</translation>
    </message>
    <message>
        <source>a number of at least %1</source>
        <translation>eine Zahl ab %1</translation>
    </message>
    <message>
        <source>a number of at most %1</source>
        <translation>eine Zahl bis %1</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>Free some space, or choose a place on another disk.</source>
        <translation>Schaffen Sie Platz, oder wählen Sie einen Ort auf einem anderen Datenträger.</translation>
    </message>
    <message>
        <source>Raise the limit of file sizes (ulimit -f), or choose a place on another disk.</source>
        <translation>Erhöhen Sie die Grenze der Dateigröße (ulimit -f), oder wählen Sie einen Ort auf einem anderen Datenträger.</translation>
    </message>
    <message>
        <source>Choose a place that you may write to, or change its permissions.</source>
        <translation>Wählen Sie einen Ort, an den Sie schreiben dürfen, oder ändern Sie seine Rechte.</translation>
    </message>
    <message>
        <source>Check the path: each of its folders must exist.</source>
        <translation>Prüfen Sie den Pfad: Jeder seiner Ordner muss vorhanden sein.</translation>
    </message>
    <message>
        <source>Choose a shorter name.</source>
        <translation>Wählen Sie einen kürzeren Namen.</translation>
    </message>
    <message>
        <source>a project or a report has that name and would be overwritten.</source>
        <translation>ein Projekt oder ein Bericht heißt so und würde ersetzt.</translation>
    </message>
    <message>
        <source>Choose another name, or remove it first.</source>
        <translation>Wählen Sie einen anderen Namen, oder entfernen Sie die Datei zuerst.</translation>
    </message>
    <message>
        <source>there is no column &apos;%1&apos; for the labels</source>
        <translation>es gibt keine Spalte „%1“ für die Labels</translation>
    </message>
    <message>
        <source>Give a name of the first line or a number below %1.</source>
        <translation>Geben Sie einen Namen der ersten Zeile oder eine Zahl unter %1 an.</translation>
    </message>
    <message>
        <source>a quote of record %1 is not closed, or text follows it</source>
        <translation>ein Anführungszeichen in Datensatz %1 ist nicht geschlossen, oder es folgt Text</translation>
    </message>
    <message>
        <source>the file has no lines</source>
        <translation>die Datei hat keine Zeilen</translation>
    </message>
    <message>
        <source>Give a table of numbers, one record a line.</source>
        <translation>Geben Sie eine Tabelle aus Zahlen an, einen Datensatz je Zeile.</translation>
    </message>
    <message>
        <source>record %1 has %2 cells, the first line has %3</source>
        <translation>Datensatz %1 hat %2 Zellen, die erste Zeile hat %3</translation>
    </message>
    <message>
        <source>the table has more than %1 numbers</source>
        <translation>die Tabelle hat mehr als %1 Zahlen</translation>
    </message>
    <message>
        <source>%1 of record %2, column %3 %4, is not a number that float32 can hold</source>
        <translation>%1 in Datensatz %2, Spalte %3 %4, ist keine Zahl, die float32 fasst</translation>
    </message>
    <message>
        <source>%1 of record %2, column %3, is not a number that float32 can hold</source>
        <translation>%1 in Datensatz %2, Spalte %3, ist keine Zahl, die float32 fasst</translation>
    </message>
    <message>
        <source>Fill the empty cell, or remove the record.</source>
        <translation>Füllen Sie die leere Zelle, oder entfernen Sie den Datensatz.</translation>
    </message>
    <message>
        <source>Write numbers with a decimal point; code categories as numbers.</source>
        <translation>Schreiben Sie Zahlen mit Dezimalpunkt und Kategorien als Zahlen.</translation>
    </message>
    <message>
        <source>the file has no records</source>
        <translation>die Datei hat keine Datensätze</translation>
    </message>
    <message>
        <source>Give at least one record after the header.</source>
        <translation>Geben Sie mindestens einen Datensatz nach der Kopfzeile an.</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1.</translation>
    </message>
    <message>
        <source>the value is not a text</source>
        <translation>der Wert ist kein Text</translation>
    </message>
    <message>
        <source>the value is not an object of input names and array names</source>
        <translation>der Wert ist kein Objekt aus Namen von Eingängen und Arrays</translation>
    </message>
    <message>
        <source>Give for example {&quot;positions&quot;: &quot;positions_train&quot;}.</source>
        <translation>Geben Sie zum Beispiel {&quot;positions&quot;: &quot;positions_train&quot;} an.</translation>
    </message>
    <message>
        <source>the array of input &apos;%1&apos; is not named</source>
        <translation>das Array für Eingang „%1“ ist nicht genannt</translation>
    </message>
    <message>
        <source>the value is not a number</source>
        <translation>der Wert ist keine Zahl</translation>
    </message>
    <message>
        <source>there are more than 4,294,967,295 samples</source>
        <translation>es gibt mehr als 4.294.967.295 Beispiele</translation>
    </message>
    <message>
        <source>a split of %1 leaves %2 of %3 samples for training</source>
        <translation>ein Anteil von %1 lässt %2 von %3 Beispielen zum Trainieren</translation>
    </message>
    <message>
        <source>Use another fraction, or 0.</source>
        <translation>Nehmen Sie einen anderen Anteil, oder 0.</translation>
    </message>
    <message>
        <source>the embedded generator &apos;%1&apos; makes its samples and has no files or columns to name</source>
        <translation>der eingebaute Generator „%1“ erzeugt seine Beispiele und hat keine Dateien oder Spalten, die sich nennen ließen</translation>
    </message>
    <message>
        <source>Set data.path to your data, or make data.%1 empty.</source>
        <translation>Setzen Sie data.path auf Ihre Daten, oder leeren Sie data.%1.</translation>
    </message>
    <message>
        <source>a table has columns instead of named arrays: &apos;%1&apos; is ignored.</source>
        <translation>eine Tabelle hat Spalten und keine Arrays, die man nennen könnte: „%1“ wird übergangen.</translation>
    </message>
    <message>
        <source>Name the column of the labels in data.label_column; all others are a sample&apos;s values.</source>
        <translation>Nennen Sie die Spalte der Labels in data.label_column; alle anderen sind Werte eines Beispiels.</translation>
    </message>
    <message>
        <source>data of format %1 are read from a file, but data.path is empty</source>
        <translation>Daten des Formats %1 werden aus einer Datei gelesen, und keine ist genannt.</translation>
    </message>
    <message>
        <source>Set data.path, or set data.format to auto for the embedded generator.</source>
        <translation>Setzen Sie data.path, oder data.format auf auto für den eingebauten Generator.</translation>
    </message>
    <message>
        <source>the data file or folder does not exist</source>
        <translation>die Datendatei oder den Ordner gibt es nicht</translation>
    </message>
    <message>
        <source>Check data.path; empty uses the embedded generator.</source>
        <translation>Prüfen Sie data.path; leer nimmt den eingebauten Generator.</translation>
    </message>
    <message>
        <source>the format of the data cannot be recognised from the name or the content</source>
        <translation>die Art der Daten ist weder am Namen noch am Inhalt zu erkennen.</translation>
    </message>
    <message>
        <source>Set data.format, or give a folder of IDX files, an .npz, .npy or .csv file.</source>
        <translation>Setzen Sie data.format, oder geben Sie einen Ordner mit IDX-Dateien, eine .npz-, .npy- oder .csv-Datei an.</translation>
    </message>
    <message>
        <source>the data source is not a JSON object.</source>
        <translation>die Datenquelle ist kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>there is no such field</source>
        <translation>das Feld gibt es nicht</translation>
    </message>
    <message>
        <source>Fields are %1.</source>
        <translation>Felder sind %1.</translation>
    </message>
    <message>
        <source>the fraction %1 is not in [0, 1)</source>
        <translation>der Anteil %1 liegt nicht in [0, 1)</translation>
    </message>
    <message>
        <source>the limit is negative</source>
        <translation>die Grenze ist negativ</translation>
    </message>
    <message>
        <source>0 means all samples.</source>
        <translation>0 bedeutet alle Beispiele.</translation>
    </message>
    <message>
        <source>the factor is not finite</source>
        <translation>der Faktor ist nicht endlich</translation>
    </message>
    <message>
        <source>there is no data format &apos;%1&apos;</source>
        <translation>das Datenformat „%1“ gibt es nicht</translation>
    </message>
    <message>
        <source>Formats are %1.</source>
        <translation>Formate sind %1.</translation>
    </message>
    <message>
        <source>data of format %1 have one array of samples: there is none for input &apos;%2&apos;</source>
        <translation>Daten im Format %1 haben ein Array von Beispielen: für Eingang „%2“ gibt es keines</translation>
    </message>
    <message>
        <source>Use a NumPy archive (.npz), or a folder of IDX or NumPy files.</source>
        <translation>Nehmen Sie ein NumPy-Archiv (.npz) oder einen Ordner mit IDX- oder NumPy-Dateien.</translation>
    </message>
    <message>
        <source>samples without labels have no loss to weigh</source>
        <translation>Beispiele ohne Labels haben keinen Loss, der zu gewichten wäre</translation>
    </message>
    <message>
        <source>data of format %1 have no array for weights</source>
        <translation>Daten im Format %1 haben kein Array für Gewichte</translation>
    </message>
    <message>
        <source>Name the labels in data.y.</source>
        <translation>Nennen Sie die Labels in data.y.</translation>
    </message>
    <message>
        <source>a sample&apos;s weight must be one number, but it is %1</source>
        <translation>das Gewicht eines Beispiels ist eine Zahl, und hier ist es %1.</translation>
    </message>
    <message>
        <source>Name another array in data.sample_weight.</source>
        <translation>Nennen Sie ein anderes Array in data.sample_weight.</translation>
    </message>
    <message>
        <source>the array is a single number; its first extent must count samples</source>
        <translation>das Array ist eine einzelne Zahl; seine erste Ausdehnung muss Beispiele zählen</translation>
    </message>
    <message>
        <source>test samples are %1, training samples %2 in %3</source>
        <translation>Testbeispiele sind %1, Trainingsbeispiele %2 in %3</translation>
    </message>
    <message>
        <source>the test samples have no labels for output &apos;%1&apos;</source>
        <translation>die Testbeispiele haben keine Labels für den Ausgang „%1“</translation>
    </message>
    <message>
        <source>Name their array in data.test_labels as in data.labels.</source>
        <translation>Nennen Sie deren Array in data.test_labels wie in data.labels.</translation>
    </message>
    <message>
        <source>Name its array in data.test_inputs as in data.inputs.</source>
        <translation>Nennen Sie sein Array in data.test_inputs wie in data.inputs.</translation>
    </message>
    <message>
        <source>test samples of input &apos;%1&apos; are %2, training samples %3 in %4</source>
        <translation>Testbeispiele von Eingang „%1“ sind %2, Trainingsbeispiele %3 in %4</translation>
    </message>
    <message>
        <source>the data set has no labels</source>
        <translation>der Datensatz hat keine Labels</translation>
    </message>
    <message>
        <source>Name the array or column of the labels (data.y, data.label_column).</source>
        <translation>Nennen Sie Array oder Spalte der Labels (data.y, data.label_column).</translation>
    </message>
    <message>
        <source>a label is %1 numbers; class numbers are one each</source>
        <translation>ein Label ist %1 Zahlen; Klassennummern sind je eine</translation>
    </message>
    <message>
        <source>Use a categorical loss for one-hot labels, a sparse one for class numbers.</source>
        <translation>Nehmen Sie für One-Hot-Labels einen kategorialen Loss, für Klassennummern einen sparse Loss.</translation>
    </message>
    <message>
        <source>the label %1 is not one of the classes 0 to %2</source>
        <translation>das Label %1 ist keine der Klassen 0 bis %2</translation>
    </message>
    <message>
        <source>Correct the record, or give the last layer as many units as there are classes.</source>
        <translation>Berichtigen Sie den Datensatz, oder geben Sie der letzten Schicht so viele units, wie es Klassen gibt.</translation>
    </message>
    <message>
        <source>there are %1 samples but %2 for input &apos;%3&apos; in %4</source>
        <translation>es gibt %1 Beispiele, aber %2 für Eingang „%3“ in %4</translation>
    </message>
    <message>
        <source>All inputs must have equally many samples, in the same order.</source>
        <translation>Alle Eingänge müssen gleich viele Beispiele haben, in derselben Reihenfolge.</translation>
    </message>
    <message>
        <source>there are %1 samples but %2 weights in %3</source>
        <translation>es gibt %1 Beispiele, aber %2 Gewichte in %3</translation>
    </message>
    <message>
        <source>there are %1 samples but %2 labels for output &apos;%3&apos; in %4</source>
        <translation>es gibt %1 Beispiele, aber %2 Labels für den Ausgang „%3“ in %4</translation>
    </message>
    <message>
        <source>Every sample must have its own, in the same order.</source>
        <translation>Jedes Beispiel muss sein eigenes haben, in derselben Reihenfolge.</translation>
    </message>
    <message>
        <source>there are %1 samples but %2 labels in %3</source>
        <translation>es gibt %1 Beispiele, aber %2 Labels in %3</translation>
    </message>
    <message>
        <source>Samples and labels must be equally many and in the same order.</source>
        <translation>Beispiele und Labels müssen gleich viele und gleich geordnet sein.</translation>
    </message>
    <message>
        <source>the number of digits must be 0 to 100,000,000.</source>
        <translation>die Zahl der Ziffern muss 0 bis 100.000.000 sein.</translation>
    </message>
    <message>
        <source>Embedded generator of digits that look handwritten, seed %1.</source>
        <translation>Eingebauter Generator für Ziffern wie von Hand, Startwert %1.</translation>
    </message>
    <message>
        <source>the %1 value %2 of record %3 does not fit in %4</source>
        <translation>der %1-Wert %2 in Datensatz %3 passt nicht in %4</translation>
    </message>
    <message>
        <source>Scale the data, or store it in a smaller type.</source>
        <translation>Skalieren Sie die Daten, oder speichern Sie sie in einem kleineren Typ.</translation>
    </message>
    <message>
        <source>%1 %2: %3 training samples.</source>
        <translation>%1 %2: %3 Trainingsbeispiele.</translation>
    </message>
    <message>
        <source>%1 %2: %3 training and %4 test samples.</source>
        <translation>%1 %2: %3 Trainings- und %4 Testbeispiele.</translation>
    </message>
    <message>
        <source>the folder has no file of training samples (%1)</source>
        <translation>der Ordner hat keine Datei mit Trainingsbeispielen (%1)</translation>
    </message>
    <message>
        <source>Name the files in data.x, data.y, data.test_x and data.test_y.</source>
        <translation>Nennen Sie die Dateien in data.x, data.y, data.test_x und data.test_y.</translation>
    </message>
    <message>
        <source>the archive has no array named x_train or x</source>
        <translation>das Archiv hat kein Array x_train oder x</translation>
    </message>
    <message>
        <source>It holds: %1. Name the samples in data.x.</source>
        <translation>Es enthält: %1. Nennen Sie die Beispiele in data.x.</translation>
    </message>
    <message>
        <source>NumPy archive</source>
        <translation>NumPy-Archiv</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>more than %1 large data files are open at once</source>
        <translation>mehr als %1 große Datendateien sind zugleich offen</translation>
    </message>
    <message>
        <source>Close some projects.</source>
        <translation>Schließen Sie einige Projekte.</translation>
    </message>
    <message>
        <source>cannot map the data file: %1</source>
        <translation>die Datendatei kann nicht eingeblendet werden: %1</translation>
    </message>
    <message>
        <source>the data file changed while it was in use</source>
        <translation>die Datei hat sich geändert, während sie benutzt wurde</translation>
    </message>
    <message>
        <source>Do not change the file until the run has ended.</source>
        <translation>Lassen Sie sie in Ruhe, bis der Lauf zu Ende ist.</translation>
    </message>
    <message>
        <source>the file ends inside the IDX header</source>
        <translation>die Datei endet im IDX-Kopf</translation>
    </message>
    <message>
        <source>Download or copy the file again.</source>
        <translation>Laden oder kopieren Sie die Datei neu.</translation>
    </message>
    <message>
        <source>this is not an IDX file: it begins with %1, not with 00 00</source>
        <translation>das ist keine IDX-Datei: sie beginnt mit %1, nicht mit 00 00.</translation>
    </message>
    <message>
        <source>An IDX file of images begins with 00 00 08 03, one of labels with 00 00 08 01.</source>
        <translation>Eine IDX-Datei mit Bildern beginnt mit 00 00 08 03, eine mit Labels mit 00 00 08 01.</translation>
    </message>
    <message>
        <source>the IDX type code %1 is unknown</source>
        <translation>der IDX-Typcode %1 ist unbekannt</translation>
    </message>
    <message>
        <source>Known are 08 (uint8), 09 (int8), 0b (int16), 0c (int32), 0d (float32), 0e (float64).</source>
        <translation>Bekannt sind 08 (uint8), 09 (int8), 0b (int16), 0c (int32), 0d (float32), 0e (float64).</translation>
    </message>
    <message>
        <source>an IDX file of %1 dimensions is not supported</source>
        <translation>eine IDX-Datei mit %1 Dimensionen wird nicht unterstützt</translation>
    </message>
    <message>
        <source>1 (labels) to %1 dimensions are supported.</source>
        <translation>1 (Labels) bis %1 Dimensionen werden es.</translation>
    </message>
    <message>
        <source>the file ends inside record %1: the header declares %2, which is %3 bytes, but the file holds %4</source>
        <translation>die Datei endet in Datensatz %1: der Kopf nennt %2, das sind %3 Bytes, und %4 sind da.</translation>
    </message>
    <message>
        <source>the file continues after the %1 records that its header declares (%2)</source>
        <translation>die Datei geht nach den %1 Datensätzen ihres Kopfes weiter: %2.</translation>
    </message>
    <message>
        <source>The header is damaged, or this is another kind of file.</source>
        <translation>Der Kopf ist beschädigt, oder es ist eine andere Art von Datei.</translation>
    </message>
    <message>
        <source>the gzip data are damaged</source>
        <translation>die gzip-Daten sind beschädigt</translation>
    </message>
    <message>
        <source>the header declares %1, more than the compressed file can hold</source>
        <translation>der Kopf nennt %1, mehr als die komprimierte Datei fassen kann</translation>
    </message>
    <message>
        <source>the file ends inside its gzip checksum</source>
        <translation>die Datei endet mitten in ihrer gzip-Prüfsumme</translation>
    </message>
    <message>
        <source>each key once</source>
        <translation>jeder Schlüssel einmal</translation>
    </message>
    <message>
        <source>the array has a structured type (records with fields)</source>
        <translation>das Array hat einen strukturierten Typ (Datensätze mit Feldern)</translation>
    </message>
    <message>
        <source>Save each field as an array of its own.</source>
        <translation>Speichern Sie jedes Feld als eigenes Array.</translation>
    </message>
    <message>
        <source>True or False</source>
        <translation>True oder False</translation>
    </message>
    <message>
        <source>the keys &apos;descr&apos;, &apos;fortran_order&apos; and &apos;shape&apos; only</source>
        <translation>nur die Schlüssel &apos;descr&apos;, &apos;fortran_order&apos; und &apos;shape&apos;</translation>
    </message>
    <message>
        <source>&apos;,&apos; or &apos;}&apos;</source>
        <translation>&apos;,&apos; oder &apos;}&apos;</translation>
    </message>
    <message>
        <source>the keys &apos;descr&apos;, &apos;fortran_order&apos; and &apos;shape&apos;</source>
        <translation>die Schlüssel &apos;descr&apos;, &apos;fortran_order&apos; und &apos;shape&apos;</translation>
    </message>
    <message>
        <source>nothing after the dictionary</source>
        <translation>nichts nach dem Dictionary</translation>
    </message>
    <message>
        <source>the .npy header is damaged: expected %1</source>
        <translation>der .npy-Kopf ist beschädigt: erwartet war %1</translation>
    </message>
    <message>
        <source>a quoted name</source>
        <translation>ein Name in Anführungszeichen</translation>
    </message>
    <message>
        <source>a closing quote</source>
        <translation>ein schließendes Anführungszeichen</translation>
    </message>
    <message>
        <source>the element type %1 is not supported</source>
        <translation>der Elementtyp %1 wird nicht unterstützt</translation>
    </message>
    <message>
        <source>Python objects are never loaded; save a numeric array.</source>
        <translation>Python-Objekte werden nie geladen; speichern Sie ein Array aus Zahlen.</translation>
    </message>
    <message>
        <source>Supported are bool, integers of 1 to 8 bytes and floats of 2, 4 and 8 bytes.</source>
        <translation>Unterstützt sind bool, ganze Zahlen von 1 bis 8 Bytes und Gleitkommazahlen von 2, 4 und 8 Bytes.</translation>
    </message>
    <message>
        <source>an extent of the shape</source>
        <translation>eine Ausdehnung der Form</translation>
    </message>
    <message>
        <source>no more than 32 dimensions</source>
        <translation>höchstens 32 Dimensionen</translation>
    </message>
    <message>
        <source>&apos;,&apos; or &apos;)&apos;</source>
        <translation>&apos;,&apos; oder &apos;)&apos;</translation>
    </message>
    <message>
        <source>this is not an .npy file: it does not begin with \x93NUMPY</source>
        <translation>dies ist keine .npy-Datei: sie beginnt nicht mit \x93NUMPY</translation>
    </message>
    <message>
        <source>the file ends inside the .npy header</source>
        <translation>die Datei endet im .npy-Kopf</translation>
    </message>
    <message>
        <source>the .npy version %1 is not supported</source>
        <translation>die .npy-Version %1 wird nicht unterstützt</translation>
    </message>
    <message>
        <source>Versions 1 to 3 are supported.</source>
        <translation>Unterstützt sind 1 bis 3.</translation>
    </message>
    <message>
        <source>the file ends inside record %1: the header declares %2 of %3, which is %4 bytes, but the file holds %5</source>
        <translation>die Datei endet in Datensatz %1: der Kopf nennt %2 von %3, das sind %4 Bytes, und %5 sind da.</translation>
    </message>
    <message>
        <source>the file continues after the %1 that its header declares</source>
        <translation>die Datei geht nach den %1 ihres Kopfes weiter.</translation>
    </message>
    <message>
        <source>The header is damaged, or several arrays were saved into one file: use .npz for these.</source>
        <translation>Der Kopf ist beschädigt, oder mehrere Arrays stehen in einer Datei: nehmen Sie dafür .npz.</translation>
    </message>
    <message>
        <source>the archive has no array named &apos;%1&apos;</source>
        <translation>das Archiv hat kein Array „%1“</translation>
    </message>
    <message>
        <source>It holds: %1.</source>
        <translation>Es enthält: %1.</translation>
    </message>
    <message>
        <source>the array name &apos;%1&apos; is empty, too long or used twice</source>
        <translation>der Array-Name „%1“ ist leer, zu lang oder doppelt</translation>
    </message>
    <message>
        <source>The data have no labels: they can be used to predict, but not to train.</source>
        <translation>Die Daten haben keine Labels: man kann mit ihnen vorhersagen, nicht trainieren.</translation>
    </message>
    <message>
        <source>The labels are not class numbers: use a regression loss.</source>
        <translation>Die Labels sind keine Klassennummern: nur ein Loss für Regression passt zu ihnen.</translation>
    </message>
    <message>
        <source>%1 has no training samples.</source>
        <translation>%1 hat keine Trainingsbeispiele.</translation>
    </message>
    <message>
        <source>%1 has only %2 training samples; an equal share would be %3.</source>
        <translation>%1 hat nur %2 Trainingsbeispiele; ein gleicher Anteil wären %3.</translation>
    </message>
    <message>
        <source>A sample holds a number that is not finite: the loss will not be finite either.</source>
        <translation>Ein Beispiel enthält eine Zahl, die nicht endlich ist: der Loss wird es auch nicht sein.</translation>
    </message>
    <message>
        <source>All samples are equal.</source>
        <translation>Alle Beispiele sind gleich.</translation>
    </message>
    <message>
        <source>There are no test samples: the accuracy on unseen data remains unknown.</source>
        <translation>Es gibt keine Testbeispiele: die Genauigkeit auf ungesehenen Daten bleibt unbekannt.</translation>
    </message>
    <message>
        <source>the embedded sequences have no array &apos;%1&apos;.</source>
        <translation>die eingebauten Folgen haben kein Array „%1“.</translation>
    </message>
    <message>
        <source>They have: positions.</source>
        <translation>Sie haben: positions.</translation>
    </message>
    <message>
        <source>Embedded generator of sequences to sort, seed %1: %2 training and %3 test sequences.</source>
        <translation>Eingebauter Generator für Folgen zum Sortieren, Startwert %1: %2 Folgen zum Trainieren und %3 zum Testen.</translation>
    </message>
    <message>
        <source>the data file does not exist</source>
        <translation>die Datendatei gibt es nicht</translation>
    </message>
    <message>
        <source>Check the path; an empty data.path uses the embedded generator.</source>
        <translation>Prüfen Sie den Pfad; ein leerer data.path nimmt den eingebauten Generator.</translation>
    </message>
    <message>
        <source>cannot open the data file: %1</source>
        <translation>die Datendatei kann nicht geöffnet werden: %1</translation>
    </message>
    <message>
        <source>the data file is not a regular file</source>
        <translation>die Datendatei ist keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>cannot read the data file: %1</source>
        <translation>die Datendatei kann nicht gelesen werden: %1</translation>
    </message>
    <message>
        <source>the data file changed while it was read</source>
        <translation>die Datei hat sich geändert, während sie gelesen wurde</translation>
    </message>
    <message>
        <source>Wait until the file is complete.</source>
        <translation>Warten Sie, bis sie geschrieben ist.</translation>
    </message>
    <message>
        <source>the machine does not have the memory for %1 bytes of data</source>
        <translation>der Rechner hat keinen Speicher für %1 Bytes Daten.</translation>
    </message>
    <message>
        <source>Use fewer records (data.limit), or store the data uncompressed as uint8 so that it is mapped.</source>
        <translation>Nehmen Sie weniger Datensätze (data.limit), oder speichern Sie die Daten unkomprimiert als uint8, damit sie eingeblendet werden.</translation>
    </message>
    <message>
        <source>the shape %1 has a negative extent</source>
        <translation>die Form %1 hat eine negative Ausdehnung</translation>
    </message>
    <message>
        <source>the shape %1 is larger than any memory</source>
        <translation>die Form %1 ist größer als jeder Speicher</translation>
    </message>
    <message>
        <source>The header is damaged, or this is not the kind of file it claims to be.</source>
        <translation>Der Kopf ist beschädigt, oder die Datei ist nicht von der Art, die sie vorgibt.</translation>
    </message>
    <message>
        <source>the shape %1 has %2 elements, more than %3</source>
        <translation>die Form %1 hat %2 Elemente, mehr als %3</translation>
    </message>
    <message>
        <source>the compressed content unpacks to %1 bytes, more than %2</source>
        <translation>der komprimierte Inhalt wird entpackt %1 Bytes groß, mehr als %2</translation>
    </message>
    <message>
        <source>Download or write the archive again.</source>
        <translation>Laden oder schreiben Sie das Archiv noch einmal.</translation>
    </message>
    <message>
        <source>this is not a zip archive, or its end is missing</source>
        <translation>dies ist kein Zip-Archiv, oder sein Ende fehlt</translation>
    </message>
    <message>
        <source>the zip64 end record is not where the archive says</source>
        <translation>der zip64-Endeintrag steht nicht dort, wo das Archiv sagt</translation>
    </message>
    <message>
        <source>the central directory lies outside the archive</source>
        <translation>das zentrale Verzeichnis liegt außerhalb des Archivs</translation>
    </message>
    <message>
        <source>entry %1 of the central directory is damaged</source>
        <translation>Eintrag %1 des zentralen Verzeichnisses ist beschädigt</translation>
    </message>
    <message>
        <source>entry %1 goes beyond the central directory</source>
        <translation>Eintrag %1 reicht über das zentrale Verzeichnis hinaus</translation>
    </message>
    <message>
        <source>entry %1 points outside the archive</source>
        <translation>Eintrag %1 zeigt aus dem Archiv hinaus</translation>
    </message>
    <message>
        <source>the entries %1 and %2 overlap</source>
        <translation>die Einträge %1 und %2 überlappen sich</translation>
    </message>
    <message>
        <source>the entry is encrypted</source>
        <translation>der Eintrag ist verschlüsselt</translation>
    </message>
    <message>
        <source>the local header is damaged</source>
        <translation>der lokale Kopf ist beschädigt</translation>
    </message>
    <message>
        <source>the entry goes beyond the archive</source>
        <translation>der Eintrag reicht über das Archiv hinaus</translation>
    </message>
    <message>
        <source>a stored entry declares two different sizes</source>
        <translation>ein gespeicherter Eintrag nennt zwei verschiedene Größen</translation>
    </message>
    <message>
        <source>the entry declares %1 bytes, more than its %2 compressed bytes can hold</source>
        <translation>der Eintrag nennt %1 Bytes, mehr als seine %2 komprimierten Bytes enthalten können</translation>
    </message>
    <message>
        <source>the compressed data are damaged after byte %1 of the content</source>
        <translation>die komprimierten Daten sind nach Byte %1 des Inhalts beschädigt</translation>
    </message>
    <message>
        <source>the compression method %1 is not supported</source>
        <translation>das Kompressionsverfahren %1 wird nicht unterstützt</translation>
    </message>
    <message>
        <source>Stored and deflated entries are supported: numpy.savez and savez_compressed write them.</source>
        <translation>Gespeicherte und mit deflate gepackte Einträge werden unterstützt; numpy.savez und savez_compressed schreiben sie.</translation>
    </message>
    <message>
        <source>the content does not match its CRC-32 checksum</source>
        <translation>der Inhalt passt nicht zu seiner CRC-32-Prüfsumme</translation>
    </message>
    <message>
        <source>there is not enough memory to compress the archive</source>
        <translation>zum Komprimieren des Archivs fehlt der Speicher</translation>
    </message>
    <message>
        <source>1 IPU</source>
        <translation>1 IPU</translation>
    </message>
    <message>
        <source>%1 IPUs</source>
        <translation>%1 IPUs</translation>
    </message>
    <message>
        <source>the run registry of the emulated devices cannot be used: %1</source>
        <translation>das Verzeichnis der emulierten Geräte ist nicht benutzbar: %1</translation>
    </message>
    <message>
        <source>Set TILEWRIGHT_RUN_DIR to a folder that you can write to.</source>
        <translation>Setzen Sie TILEWRIGHT_RUN_DIR auf einen Ordner, in den Sie schreiben dürfen.</translation>
    </message>
    <message>
        <source>process %1 (&apos;%2&apos;, user %3)</source>
        <translation>Prozess %1 („%2“, Benutzer %3)</translation>
    </message>
    <message>
        <source>another process</source>
        <translation>ein anderer Prozess</translation>
    </message>
    <message>
        <source>IPU %1 by %2</source>
        <translation>IPU %1 durch %2</translation>
    </message>
    <message>
        <source>IPUs %1 by %2</source>
        <translation>IPUs %1 durch %2</translation>
    </message>
    <message>
        <source>%1 has no device with id %2.</source>
        <translation>%1 hat kein Gerät mit der Nummer %2.</translation>
    </message>
    <message>
        <source>Its ids are 0 to %1; &apos;tilewright devices&apos; lists them.</source>
        <translation>Seine Nummern sind 0 bis %1; „tilewright devices“ nennt sie.</translation>
    </message>
    <message>
        <source>%1 has no device with %2 for %3.</source>
        <translation>%1 hat kein Gerät mit %2 für %3.</translation>
    </message>
    <message>
        <source>Its devices have 1 IPU each; &apos;tilewright devices&apos; lists them.</source>
        <translation>Seine Geräte haben je 1 IPU; &apos;tilewright devices&apos; nennt sie.</translation>
    </message>
    <message>
        <source>Its devices have %1 IPUs; &apos;tilewright devices&apos; lists them.</source>
        <translation>Seine Geräte haben %1 IPUs; „tilewright devices“ nennt sie.</translation>
    </message>
    <message>
        <source>the program cannot be executed: the device connection is of type NEVER, which only compiles.</source>
        <translation>das Programm kann nicht ausgeführt werden: die Geräteverbindung ist vom Typ NEVER, der nur kompiliert.</translation>
    </message>
    <message>
        <source>Set ipu_config.device_connection.type to ALWAYS or ON_DEMAND.</source>
        <translation>Setzen Sie ipu_config.device_connection.type auf ALWAYS oder ON_DEMAND.</translation>
    </message>
    <message>
        <source>the poll time of %1 ms is too short.</source>
        <translation>die Abfragezeit von %1 ms ist zu kurz.</translation>
    </message>
    <message>
        <source>It is at least %1 ms.</source>
        <translation>Sie ist mindestens %1 ms.</translation>
    </message>
    <message>
        <source>%1 expects %2 of %3, and all devices that match are busy: %4.</source>
        <translation>%1 erwartet %2 von %3, und alle passenden Geräte sind belegt: %4.</translation>
    </message>
    <message>
        <source>Stop that process or wait for its end (&apos;tilewright monitor&apos; shows it), choose another target, or raise the time to wait (on_demand_device_timeout).</source>
        <translation>Beenden Sie diesen Prozess oder warten Sie sein Ende ab („tilewright monitor“ zeigt ihn), wählen Sie ein anderes Ziel, oder erhöhen Sie die Wartezeit (on_demand_device_timeout).</translation>
    </message>
    <message>
        <source>Stop that process or wait for its end (&apos;tilewright monitor&apos; shows it), choose another target, or set ipu_config.device_connection.type to ON_DEMAND to wait.</source>
        <translation>Beenden Sie diesen Prozess oder warten Sie sein Ende ab („tilewright monitor“ zeigt ihn), wählen Sie ein anderes Ziel, oder setzen Sie zum Warten ipu_config.device_connection.type auf ON_DEMAND.</translation>
    </message>
    <message>
        <source>no device became free within %1 ms.</source>
        <translation>nach %1 ms wurde das Warten aufgegeben.</translation>
    </message>
    <message>
        <source>waiting for a free device: %1</source>
        <translation>es wird auf ein freies Gerät gewartet: %1</translation>
    </message>
    <message>
        <source>a state file is not JSON.</source>
        <translation>eine Zustandsdatei ist kein JSON.</translation>
    </message>
    <message>
        <source>a state file was written by a newer version.</source>
        <translation>eine Zustandsdatei stammt von einer neueren Version.</translation>
    </message>
    <message>
        <source>a state file is damaged: %1.</source>
        <translation>eine Zustandsdatei ist beschädigt: %1.</translation>
    </message>
    <message>
        <source>the memory of the tiles (tile mode)</source>
        <translation>der Speicher der Tiles (Tile-Modus)</translation>
    </message>
    <message>
        <source>Use the fused mode, or fewer IPUs or tiles (system.target).</source>
        <translation>Verwenden Sie den Fused-Modus oder weniger IPUs oder Tiles (system.target).</translation>
    </message>
    <message>
        <source>cannot reserve %1 of address space for the tiles.</source>
        <translation>%1 Adressraum für die Tiles lassen sich nicht reservieren.</translation>
    </message>
    <message>
        <source>Use the fused mode, or fewer IPUs or tiles.</source>
        <translation>Nehmen Sie den Fused-Modus, oder weniger IPUs oder Tiles.</translation>
    </message>
    <message>
        <source>%1 differs between replicas: they would take different branches</source>
        <translation>%1 unterscheidet sich zwischen Replikas, die verschiedene Wege gehen würden</translation>
    </message>
    <message>
        <source>Compile again; &apos;tilewright cache clear&apos; empties the cache.</source>
        <translation>Kompilieren Sie neu; „tilewright cache clear“ leert den Cache.</translation>
    </message>
    <message>
        <source>the file is not a Tilewright executable: its first 8 bytes differ.</source>
        <translation>die Datei ist kein Executable von Tilewright: ihre ersten 8 Bytes weichen ab.</translation>
    </message>
    <message>
        <source>the file ends in its header, at byte %1.</source>
        <translation>die Datei endet in ihrem Kopf, bei Byte %1.</translation>
    </message>
    <message>
        <source>the file has format %1, written by a newer version; this one reads up to %2.</source>
        <translation>die Datei hat Format %1 einer neueren Version; diese liest bis %2.</translation>
    </message>
    <message>
        <source>the header&apos;s lengths (byte 12 on) contradict each other.</source>
        <translation>die Längen im Kopf (ab Byte 12) widersprechen sich.</translation>
    </message>
    <message>
        <source>the file ends in its header, at byte %1 of %2.</source>
        <translation>die Datei endet in ihrem Kopf, bei Byte %1 von %2.</translation>
    </message>
    <message>
        <source>the header&apos;s checksum (byte 48) does not match.</source>
        <translation>die Prüfsumme des Kopfes (Byte 48) stimmt nicht.</translation>
    </message>
    <message>
        <source>the file has %1 bytes of payload where its header says %2.</source>
        <translation>die Datei hat %1 Bytes Inhalt, ihr Kopf nennt %2.</translation>
    </message>
    <message>
        <source>cannot open the file: %1.</source>
        <translation>die Datei kann nicht geöffnet werden: %1.</translation>
    </message>
    <message>
        <source>the checksum of the payload (byte %1 on) does not match.</source>
        <translation>die Prüfsumme des Inhalts (ab Byte %1) stimmt nicht.</translation>
    </message>
    <message>
        <source>the description of the executable is longer than the format allows.</source>
        <translation>die Beschreibung des Executables ist länger, als das Format erlaubt.</translation>
    </message>
    <message>
        <source>in %1: absent there, %2 here</source>
        <translation>in %1: fehlt dort, hier %2</translation>
    </message>
    <message>
        <source>in %1: %2 there, absent here</source>
        <translation>in %1: dort %2, fehlt hier</translation>
    </message>
    <message>
        <source>in %1: %2 there, %3 here</source>
        <translation>in %1: dort %2, hier %3</translation>
    </message>
    <message>
        <source>in nothing</source>
        <translation>in nichts</translation>
    </message>
    <message>
        <source>the executable cache cannot be used: %1</source>
        <translation>der Executable-Cache ist nicht benutzbar: %1</translation>
    </message>
    <message>
        <source>Choose another folder with --executable_cache_path, or compile with --no-cache.</source>
        <translation>Wählen Sie einen anderen Ordner mit --executable_cache_path, oder kompilieren Sie mit --no-cache.</translation>
    </message>
    <message>
        <source>the entry describes another executable than its name.</source>
        <translation>der Eintrag beschreibt ein anderes Executable als sein Name.</translation>
    </message>
    <message>
        <source>found %1</source>
        <translation>gefunden: %1</translation>
    </message>
    <message>
        <source>entry %1: %2</source>
        <translation>Eintrag %1: %2</translation>
    </message>
    <message>
        <source>a damaged entry of the executable cache is not used; compiling again: %1</source>
        <translation>ein beschädigter Eintrag des Executable-Caches wird nicht benutzt, es wird neu kompiliert: %1</translation>
    </message>
    <message>
        <source>the cache is empty</source>
        <translation>der Cache ist leer</translation>
    </message>
    <message>
        <source>differs from entry %1… %2</source>
        <translation>unterscheidet sich von Eintrag %1… %2</translation>
    </message>
    <message>
        <source>cannot remove the file: %1.</source>
        <translation>die Datei kann nicht entfernt werden: %1.</translation>
    </message>
    <message>
        <source>the stored executable is damaged: %1</source>
        <translation>das gespeicherte Executable ist beschädigt: %1</translation>
    </message>
    <message>
        <source>Compile again (--no-cache).</source>
        <translation>Kompilieren Sie neu (--no-cache).</translation>
    </message>
    <message>
        <source>its length is wrong</source>
        <translation>seine Länge ist falsch</translation>
    </message>
    <message>
        <source>has an attribute of the wrong type</source>
        <translation>hat ein Attribut eines anderen Typs</translation>
    </message>
    <message>
        <source>repeats less than once</source>
        <translation>wiederholt weniger als einmal</translation>
    </message>
    <message>
        <source>carries more values than it has</source>
        <translation>trägt mehr Werte, als es hat</translation>
    </message>
    <message>
        <source>does not give the order of each stack</source>
        <translation>nennt nicht für jeden Stapel die Reihenfolge</translation>
    </message>
    <message>
        <source>passes a different number of values than its body has parameters</source>
        <translation>gibt seinem Rumpf nicht so viele Werte, wie der nimmt</translation>
    </message>
    <message>
        <source>has a different number of results than its body</source>
        <translation>hat nicht so viele Ergebnisse wie sein Rumpf</translation>
    </message>
    <message>
        <source>its body&apos;s counter has the wrong type</source>
        <translation>sein Rumpf zählt in einem anderen Typ</translation>
    </message>
    <message>
        <source>its body takes %1 in a different type</source>
        <translation>sein Rumpf nimmt %1 in einem anderen Typ</translation>
    </message>
    <message>
        <source>its body returns %1 in a different type</source>
        <translation>sein Rumpf gibt %1 in einem anderen Typ</translation>
    </message>
    <message>
        <source>has a different number of results than one of its bodies</source>
        <translation>hat nicht so viele Ergebnisse wie einer seiner Rümpfe</translation>
    </message>
    <message>
        <source>one of its bodies returns %1 in a different type</source>
        <translation>ein Rumpf gibt %1 in einem anderen Typ</translation>
    </message>
    <message>
        <source>needs two bodies</source>
        <translation>braucht zwei Rümpfe</translation>
    </message>
    <message>
        <source>needs one scalar predicate</source>
        <translation>braucht einen Skalar, der entscheidet</translation>
    </message>
    <message>
        <source>its body has parameters</source>
        <translation>sein Rumpf hat Parameter</translation>
    </message>
    <message>
        <source>needs a test and a body</source>
        <translation>braucht eine Prüfung und einen Rumpf</translation>
    </message>
    <message>
        <source>its limit is below 1</source>
        <translation>läuft höchstens weniger als einmal</translation>
    </message>
    <message>
        <source>carries a different number of values than it returns</source>
        <translation>trägt nicht so viele Werte, wie es hinterlässt</translation>
    </message>
    <message>
        <source>returns %1 in a different type</source>
        <translation>hinterlässt %1 in einem anderen Typ</translation>
    </message>
    <message>
        <source>passes a different number of values than one of its bodies has parameters</source>
        <translation>gibt einem Rumpf nicht so viele Werte, wie der nimmt</translation>
    </message>
    <message>
        <source>one of its bodies takes %1 in a different type</source>
        <translation>ein Rumpf nimmt %1 in einem anderen Typ</translation>
    </message>
    <message>
        <source>its test does not return a scalar predicate</source>
        <translation>seine Prüfung gibt keinen Skalar, der entscheidet</translation>
    </message>
    <message>
        <source>its body has parameters or results</source>
        <translation>sein Rumpf hat Parameter oder Ergebnisse</translation>
    </message>
    <message>
        <source>needs one body</source>
        <translation>braucht einen Rumpf</translation>
    </message>
    <message>
        <source>a convolution has one to three spatial axes, not %1.</source>
        <translation>eine Faltung hat eine bis drei räumliche Achsen, nicht %1.</translation>
    </message>
    <message>
        <source>its attributes have different lengths.</source>
        <translation>seine Attribute sind verschieden lang.</translation>
    </message>
    <message>
        <source>operands %1 and %2 do not have rank %3.</source>
        <translation>die Operanden %1 und %2 haben nicht den Rang %3.</translation>
    </message>
    <message>
        <source>it has %1 groups.</source>
        <translation>es hat %1 Gruppen.</translation>
    </message>
    <message>
        <source>the kernel %1 does not match the %2 channels of a group.</source>
        <translation>ein Kernel %1 für %2 Kanäle einer Gruppe.</translation>
    </message>
    <message>
        <source>the kernel %1 does not match %2 filters.</source>
        <translation>ein Kernel %1 für %2 Filter.</translation>
    </message>
    <message>
        <source>the operands have different batch sizes.</source>
        <translation>Operanden verschiedener Batches.</translation>
    </message>
    <message>
        <source>strides, dilations, extents or padding are out of range.</source>
        <translation>Schritte, Dilatationen, Ausdehnungen oder Ränder außerhalb des Bereichs.</translation>
    </message>
    <message>
        <source>a window of %1 does not fit %2 positions.</source>
        <translation>ein Fenster von %1 passt nicht in %2 Positionen.</translation>
    </message>
    <message>
        <source>an operand has %1 positions, but there are %2 windows.</source>
        <translation>ein Operand hat %1 Positionen, es sind aber %2 Fenster.</translation>
    </message>
    <message>
        <source>is not an elementwise expression.</source>
        <translation>ist kein elementweiser Ausdruck.</translation>
    </message>
    <message>
        <source>The form is &apos;OPERANDS: prim(p0,p1) a0 t0; …&apos;.</source>
        <translation>Die Form ist &apos;OPERANDS: prim(p0,p1) a0 t0; …&apos;.</translation>
    </message>
    <message>
        <source>graph is not well formed: %1</source>
        <translation>der Graph ist nicht wohlgeformt: %1</translation>
    </message>
    <message>
        <source>region does not exist</source>
        <translation>der Bereich existiert nicht</translation>
    </message>
    <message>
        <source>region is used twice</source>
        <translation>der Bereich wird zweimal verwendet</translation>
    </message>
    <message>
        <source>node does not exist</source>
        <translation>der Knoten existiert nicht</translation>
    </message>
    <message>
        <source>node is listed twice</source>
        <translation>der Knoten steht zweimal in der Liste</translation>
    </message>
    <message>
        <source>input does not exist</source>
        <translation>der Eingang existiert nicht</translation>
    </message>
    <message>
        <source>reads %1 before it is defined</source>
        <translation>liest %1, bevor es definiert ist</translation>
    </message>
    <message>
        <source>output does not exist</source>
        <translation>der Ausgang existiert nicht</translation>
    </message>
    <message>
        <source>the variable is missing or unexpected</source>
        <translation>die Variable fehlt oder ist nicht erwartet</translation>
    </message>
    <message>
        <source>variable does not exist</source>
        <translation>die Variable existiert nicht</translation>
    </message>
    <message>
        <source>wrong operand count</source>
        <translation>falsche Zahl der Operanden</translation>
    </message>
    <message>
        <source>type differs from variable %1</source>
        <translation>der Typ unterscheidet sich von der Variablen %1</translation>
    </message>
    <message>
        <source>parameters must be at the beginning of a body</source>
        <translation>Parameter stehen am Anfang eines Rumpfs</translation>
    </message>
    <message>
        <source>results must be at the end of a body</source>
        <translation>Ergebnisse stehen am Ende eines Rumpfs</translation>
    </message>
    <message>
        <source>inPlace does not match the outputs</source>
        <translation>inPlace passt nicht zu den Ausgängen</translation>
    </message>
    <message>
        <source>an index of inPlace is out of range</source>
        <translation>Index in inPlace</translation>
    </message>
    <message>
        <source>value is defined twice</source>
        <translation>der Wert wird zweimal definiert</translation>
    </message>
    <message>
        <source>producer of its output differs</source>
        <translation>der Erzeuger seines Ausgangs ist ein anderer</translation>
    </message>
    <message>
        <source>graph has no entry region</source>
        <translation>der Graph hat keinen Einstiegsbereich</translation>
    </message>
    <message>
        <source>attribute &apos;%1&apos; of operation &apos;%2&apos; %3</source>
        <translation>Attribut „%1“ der Operation „%2“ %3</translation>
    </message>
    <message>
        <source>does not exist; the operation has no attributes</source>
        <translation>existiert nicht; die Operation hat keine Attribute</translation>
    </message>
    <message>
        <source>does not exist; there are %1</source>
        <translation>existiert nicht; es gibt %1</translation>
    </message>
    <message>
        <source>must be %1: %2</source>
        <translation>muss %1 sein: %2</translation>
    </message>
    <message>
        <source>is missing, %1: %2</source>
        <translation>fehlt, %1: %2</translation>
    </message>
    <message>
        <source>operation &apos;%1&apos; does not exist</source>
        <translation>die Operation „%1“ existiert nicht</translation>
    </message>
    <message>
        <source>operation &apos;%1&apos; has %2 operands, not %3</source>
        <translation>die Operation „%1“ hat %2 Operanden, nicht %3</translation>
    </message>
    <message>
        <source>has the wrong number of outputs</source>
        <translation>hat die falsche Zahl von Ausgängen</translation>
    </message>
    <message>
        <source>the output is %1, but the operation returns %2</source>
        <translation>der Ausgang ist %1, aber die Operation gibt %2</translation>
    </message>
    <message>
        <source>operation &apos;%1&apos; has no partial sums</source>
        <translation>die Operation „%1“ hat keine Teilsummen</translation>
    </message>
    <message>
        <source>half_partials must be the number of inputs between two stores</source>
        <translation>half_partials muss die Zahl der Eingänge zwischen zwei Speicherungen sein</translation>
    </message>
    <message>
        <source>half_partials requires float16 operands</source>
        <translation>half_partials von etwas, das nicht float16 ist</translation>
    </message>
    <message>
        <source>the slice is outside %1.</source>
        <translation>der Ausschnitt verlässt %1.</translation>
    </message>
    <message>
        <source>padding must be given as zeros before and after each axis of %1.</source>
        <translation>die Ränder müssen als Nullen vor und nach jeder Achse von %1 angegeben sein.</translation>
    </message>
    <message>
        <source>%1 has no axis %2.</source>
        <translation>%1 hat keine Achse %2.</translation>
    </message>
    <message>
        <source>sums float32 and int32 only.</source>
        <translation>summiert nur float32 und int32.</translation>
    </message>
    <message>
        <source>unknown type.</source>
        <translation>unbekannter Typ.</translation>
    </message>
    <message>
        <source>the rate must be at least 0 and below 1.</source>
        <translation>die Rate muss mindestens 0 und unter 1 sein.</translation>
    </message>
    <message>
        <source>does not fit into the group of nodes around it.</source>
        <translation>passt nicht in die Gruppe von Knoten um ihn.</translation>
    </message>
    <message>
        <source>operand %1 does not broadcast to %2.</source>
        <translation>Operand %1 lässt sich nicht auf %2 ausweiten.</translation>
    </message>
    <message>
        <source>%1 is not defined for integers.</source>
        <translation>%1 ist für ganze Zahlen nicht definiert.</translation>
    </message>
    <message>
        <source>the expression reads a value before it is computed.</source>
        <translation>der Ausdruck liest einen Wert, bevor er berechnet ist.</translation>
    </message>
    <message>
        <source>the expression has no instruction.</source>
        <translation>der Ausdruck hat keine Anweisung.</translation>
    </message>
    <message>
        <source>operands and result must all be floating or all i32.</source>
        <translation>Operanden und Ergebnis müssen alle Gleitkommazahlen oder alle i32 sein.</translation>
    </message>
    <message>
        <source>Insert a cast.</source>
        <translation>Fügen Sie einen Cast ein.</translation>
    </message>
    <message>
        <source>the table %1 is not a matrix.</source>
        <translation>die Tabelle %1 ist keine Matrix.</translation>
    </message>
    <message>
        <source>the table %1 does not have the number of rows that the node declares.</source>
        <translation>die Tabelle %1 hat nicht so viele Zeilen, wie der Knoten sagt.</translation>
    </message>
    <message>
        <source>%1 is not a part of %2 along the axis.</source>
        <translation>%1 ist kein Teil von %2 entlang der Achse.</translation>
    </message>
    <message>
        <source>returns float32, float16 and int32 only.</source>
        <translation>gibt nur float32, float16 und int32.</translation>
    </message>
    <message>
        <source>there is no host kernel of this name.</source>
        <translation>es gibt keinen Host-Kernel dieses Namens.</translation>
    </message>
    <message>
        <source>axis %1 is not an axis of %2.</source>
        <translation>Achse %1 ist keine von %2.</translation>
    </message>
    <message>
        <source>needs operands and one result.</source>
        <translation>braucht Operanden und ein Ergebnis.</translation>
    </message>
    <message>
        <source>operand %1 does not fit into %2.</source>
        <translation>Operand %1 passt nicht in %2.</translation>
    </message>
    <message>
        <source>operands do not fill %1.</source>
        <translation>die Operanden füllen %1 nicht.</translation>
    </message>
    <message>
        <source>%1 has more axes than %2.</source>
        <translation>%1 hat mehr Achsen als %2.</translation>
    </message>
    <message>
        <source>%1 does not broadcast to %2.</source>
        <translation>%1 lässt sich nicht auf %2 ausweiten.</translation>
    </message>
    <message>
        <source>the inner extents of %1 and %2 differ.</source>
        <translation>die inneren Ausdehnungen von %1 und %2 unterscheiden sich.</translation>
    </message>
    <message>
        <source>%1 and %2 hold different numbers of matrices.</source>
        <translation>%1 und %2 sind nicht gleich viele Matrizen.</translation>
    </message>
    <message>
        <source>view needs four extents of at least 1.</source>
        <translation>view braucht vier Ausdehnungen von mindestens 1.</translation>
    </message>
    <message>
        <source>view %1 does not have the number of elements of %2.</source>
        <translation>view %1 hat nicht so viele Elemente wie %2.</translation>
    </message>
    <message>
        <source>epsilon must be at least 0.</source>
        <translation>epsilon muss mindestens 0 sein.</translation>
    </message>
    <message>
        <source>has %1 states instead of %2 or 4.</source>
        <translation>hat %1 Zustände statt %2 oder 4.</translation>
    </message>
    <message>
        <source>unknown kind &apos;%1&apos;.</source>
        <translation>unbekannte Art „%1“.</translation>
    </message>
    <message>
        <source>Use constant, adam or adamax.</source>
        <translation>Verwenden Sie constant, adam oder adamax.</translation>
    </message>
    <message>
        <source>%1 is not the permutation of %2 that perm gives.</source>
        <translation>%1 ist keine Permutation von %2, wie perm sie nennt.</translation>
    </message>
    <message>
        <source>window, stride, before and after need one entry for each of up to three axes.</source>
        <translation>window, stride, before und after brauchen einen Eintrag für jede von bis zu drei Achsen.</translation>
    </message>
    <message>
        <source>an input of shape %1 does not have %2 spatial axes.</source>
        <translation>ein Eingang der Form %1 hat nicht %2 räumliche Achsen.</translation>
    </message>
    <message>
        <source>windows and strides must be at least 1, padding at least 0.</source>
        <translation>Fenster und Schritte sind mindestens 1, Ränder mindestens 0.</translation>
    </message>
    <message>
        <source>a window would cover only padding.</source>
        <translation>ein Fenster sähe nur den Rand.</translation>
    </message>
    <message>
        <source>a window of %1 does not fit an axis of %2.</source>
        <translation>ein Fenster von %1 passt nicht auf eine Achse von %2.</translation>
    </message>
    <message>
        <source>reduces f32 and i32 only.</source>
        <translation>reduziert nur f32 und i32.</translation>
    </message>
    <message>
        <source>unknown axes &apos;%1&apos;.</source>
        <translation>unbekannte Achsen „%1“.</translation>
    </message>
    <message>
        <source>Use rows, cols or all.</source>
        <translation>Verwenden Sie rows, cols oder all.</translation>
    </message>
    <message>
        <source>%1 has fewer axes than %2.</source>
        <translation>%1 hat weniger Achsen als %2.</translation>
    </message>
    <message>
        <source>%1 does not reduce to %2.</source>
        <translation>%1 lässt sich nicht auf %2 reduzieren.</translation>
    </message>
    <message>
        <source>takes one tensor.</source>
        <translation>teilt einen Tensor.</translation>
    </message>
    <message>
        <source>%1 cannot be divided into %2 equal parts along axis %3.</source>
        <translation>%1 hat entlang Achse %3 keine %2 gleichen Teile.</translation>
    </message>
    <message>
        <source>Kernel &apos;%1&apos;: %2</source>
        <translation>Kernel „%1“: %2</translation>
    </message>
    <message>
        <source>takes %1 operands and returns %2 results, not %3 and %4.</source>
        <translation>nimmt %1 Operanden und gibt %2 Ergebnisse, nicht %3 und %4.</translation>
    </message>
    <message>
        <source>an operand or result is %1, not %2.</source>
        <translation>ein Operand oder Ergebnis ist %1, nicht %2.</translation>
    </message>
    <message>
        <source>an operand or result of shape %1 must have %2 elements.</source>
        <translation>ein Operand oder Ergebnis der Form %1 muss %2 Elemente haben.</translation>
    </message>
    <message>
        <source>activation %1 cannot be built yet</source>
        <translation>Aktivierung %1 lässt sich noch nicht bauen</translation>
    </message>
    <message>
        <source>use another activation</source>
        <translation>nehmen Sie eine andere Aktivierung</translation>
    </message>
    <message>
        <source>Average of whole numbers cannot be built</source>
        <translation>Average ganzer Zahlen lässt sich nicht bauen</translation>
    </message>
    <message>
        <source>give it floating-point inputs</source>
        <translation>geben Sie Gleitkomma-Eingänge</translation>
    </message>
    <message>
        <source>statistics over these axes of %1 cannot be built yet</source>
        <translation>Statistik über diese Achsen von %1 lässt sich noch nicht bauen</translation>
    </message>
    <message>
        <source>use axes that lie side by side</source>
        <translation>nehmen Sie Achsen, die nebeneinander liegen</translation>
    </message>
    <message>
        <source>whole numbers cannot be interpolated</source>
        <translation>ganze Zahlen lassen sich nicht interpolieren</translation>
    </message>
    <message>
        <source>use interpolation nearest, or floating-point inputs</source>
        <translation>nehmen Sie interpolation nearest, oder Gleitkomma-Eingänge</translation>
    </message>
    <message>
        <source>layer class %1 cannot be built yet</source>
        <translation>Schichtklasse %1 lässt sich noch nicht bauen</translation>
    </message>
    <message>
        <source>use another layer</source>
        <translation>nehmen Sie eine andere Schicht</translation>
    </message>
    <message>
        <source>the input layer fixes a batch of %1, the plan has %2</source>
        <translation>die Eingangsschicht legt einen Batch von %1 fest, der Plan hat %2</translation>
    </message>
    <message>
        <source>use the same batch size, or leave the input&apos;s open (null)</source>
        <translation>nehmen Sie dieselbe Batch-Größe, oder lassen Sie die des Eingangs offen (null)</translation>
    </message>
    <message>
        <source>labels of shape %1 cannot be compared with predictions of shape %2</source>
        <translation>Labels der Form %1 lassen sich nicht mit Vorhersagen der Form %2 vergleichen</translation>
    </message>
    <message>
        <source>%1 requires %2</source>
        <translation>%1 verlangt %2</translation>
    </message>
    <message>
        <source>a body is called on two IPUs.</source>
        <translation>ein Rumpf wird auf zwei IPUs aufgerufen.</translation>
    </message>
    <message>
        <source>Give each pipeline stage a body of its own.</source>
        <translation>Geben Sie jeder Pipeline-Stufe einen eigenen Rumpf.</translation>
    </message>
    <message>
        <source>the condition controls work on several IPUs.</source>
        <translation>die Bedingung steuert Arbeit auf mehreren IPUs.</translation>
    </message>
    <message>
        <source>Put all of it into one pipeline stage.</source>
        <translation>Legen Sie alles davon in eine Pipelinestufe.</translation>
    </message>
    <message>
        <source>operation &apos;%1&apos; cannot be compiled for the IPU yet.</source>
        <translation>Operation „%1“ lässt sich noch nicht für die IPU kompilieren.</translation>
    </message>
    <message>
        <source>%1 %2 B</source>
        <translation>%1 %2 B</translation>
    </message>
    <message>
        <source>Its code does not fit: code can only run from the first %1 bytes of a tile, which have no room for its %2 bytes of code and the data between them.</source>
        <translation>Sein Code passt nicht hinein: Code läuft nur in den ersten %1 Bytes eines Tiles, und dort ist kein Platz für %2 Bytes Code und die Daten dazwischen.</translation>
    </message>
    <message>
        <source>Its live data would fit together, but no gap between them is large enough for the data that must be placed there.</source>
        <translation>Seine lebenden Daten passten zusammen hinein, aber keine Lücke zwischen ihnen ist groß genug für das, was dort liegen muss.</translation>
    </message>
    <message>
        <source>the data do not fit: the tile needs %1 bytes at once, %2 with the gaps between them, and has %3; %4 of %5 tiles are over their limit.</source>
        <translation>nicht alle Daten passen hinein: Das Tile braucht %1 Bytes auf einmal, reicht platziert bis %2 und hat %3; %4 von %5 Tiles sind darüber.</translation>
    </message>
    <message>
        <source>The peak is at step &apos;%1&apos;. Largest there: %2.</source>
        <translation>Der Höchststand ist beim Schritt „%1“. Am größten sind dort: %2.</translation>
    </message>
    <message>
        <source>More tiles or IPUs (system.target), a smaller batch size or pipeline stages change what a tile holds.</source>
        <translation>Mehr Tiles oder IPUs (system.target), eine kleinere Batch-Größe oder Pipeline-Stufen ändern, was ein Tile hält.</translation>
    </message>
    <message>
        <source>variables inside a branch or a loop of a pipeline are not available yet.</source>
        <translation>Variablen innerhalb einer Verzweigung oder Schleife einer Pipeline gibt es noch nicht.</translation>
    </message>
    <message>
        <source>Read and assign them around it.</source>
        <translation>Lesen und beschreiben Sie sie außen herum.</translation>
    </message>
    <message>
        <source>%1 micro-batches do not fill a pipeline of %2 stages under the %3 schedule: the count must be a multiple of %4.</source>
        <translation>%1 Micro-Batches füllen eine Pipeline von %2 Stufen unter dem Plan %3 nicht: Die Anzahl muss ein Vielfaches von %4 sein.</translation>
    </message>
    <message>
        <source>Set training.gradient_accumulation_steps to %1.</source>
        <translation>Setzen Sie training.gradient_accumulation_steps auf %1.</translation>
    </message>
    <message>
        <source>a result of a stage&apos;s forward pass is wanted by the backward pass of one before it.</source>
        <translation>ein Ergebnis vom Hinweg einer Stufe wird vom Rückweg einer früheren gebraucht.</translation>
    </message>
    <message>
        <source>no activation is named &apos;%1&apos;</source>
        <translation>keine Aktivierung heißt „%1“</translation>
    </message>
    <message>
        <source>%1 batches are fewer than the %2 replicas.</source>
        <translation>%1 Batches sind weniger als die %2 Replikas.</translation>
    </message>
    <message>
        <source>Give each replica at least one batch.</source>
        <translation>Geben Sie jeder Replika mindestens einen Batch.</translation>
    </message>
    <message>
        <source>%1 batches at the end of each epoch are dropped: they do not fill all replicas.</source>
        <translation>%1 Batches am Ende jeder Epoche fallen weg: sie füllen nicht alle Replikas.</translation>
    </message>
    <message>
        <source>%1 does not divide the %2 steps of an epoch.</source>
        <translation>%1 teilt nicht die %2 Schritte einer Epoche.</translation>
    </message>
    <message>
        <source>Use %1, or a data set of another size (data.limit).</source>
        <translation>Nehmen Sie %1, oder einen Datensatz anderer Größe (data.limit).</translation>
    </message>
    <message>
        <source>No number of whole weight updates divides them: change data.limit, training.batch_size or training.gradient_accumulation_steps.</source>
        <translation>Keine Zahl ganzer Gewichtsänderungen teilt sie: ändern Sie data.limit, training.batch_size oder training.gradient_accumulation_steps.</translation>
    </message>
    <message>
        <source>needs a weight of two axes or more, got %1</source>
        <translation>braucht ein Gewicht mit zwei oder mehr Achsen, es hat %1</translation>
    </message>
    <message>
        <source>use another initializer</source>
        <translation>nehmen Sie einen anderen Initialisierer</translation>
    </message>
    <message>
        <source>a matrix of %1 takes too long to orthogonalise</source>
        <translation>eine Matrix von %1 zu orthogonalisieren dauert zu lange</translation>
    </message>
    <message>
        <source>use another initializer for extents above 32768</source>
        <translation>nehmen Sie für Ausdehnungen über 32768 einen anderen Initialisierer</translation>
    </message>
    <message>
        <source>needs a weight of two axes, got %1</source>
        <translation>braucht ein Gewicht mit zwei Achsen, es hat %1</translation>
    </message>
    <message>
        <source>an initializer is a name or an object with class_name and config</source>
        <translation>ein Initialisierer ist ein Name oder ein Objekt mit class_name und config</translation>
    </message>
    <message>
        <source>for example &quot;glorot_uniform&quot;</source>
        <translation>zum Beispiel &quot;glorot_uniform&quot;</translation>
    </message>
    <message>
        <source>argument &apos;others&apos; is missing</source>
        <translation>Argument „others“ fehlt</translation>
    </message>
    <message>
        <source>give an initializer</source>
        <translation>geben Sie einen Initialisierer an</translation>
    </message>
    <message>
        <source>no initializer is named &apos;%1&apos;</source>
        <translation>kein Initialisierer heißt „%1“</translation>
    </message>
    <message>
        <source>a weight of %1 is too large to initialise</source>
        <translation>ein Gewicht von %1 ist zu groß für erste Werte</translation>
    </message>
    <message>
        <source>make the layer smaller</source>
        <translation>machen Sie die Schicht kleiner</translation>
    </message>
    <message>
        <source>a weight has an unknown extent: %1</source>
        <translation>ein Gewicht hat eine unbekannte Ausdehnung: %1</translation>
    </message>
    <message>
        <source>give the text that Keras&apos;s to_json writes</source>
        <translation>geben Sie den Text an, den Keras mit to_json schreibt</translation>
    </message>
    <message>
        <source>an index is %1, not a small integer</source>
        <translation>ein Index ist %1, keine kleine ganze Zahl</translation>
    </message>
    <message>
        <source>a reference to a layer&apos;s output is not of the form [&quot;layer&quot;, 0, 0]</source>
        <translation>ein Verweis auf den Ausgang einer Schicht hat nicht die Form [&quot;layer&quot;, 0, 0]</translation>
    </message>
    <message>
        <source>a list of references to layers is missing</source>
        <translation>eine Liste von Verweisen auf Schichten fehlt</translation>
    </message>
    <message>
        <source>pipeline_stage is neither a number nor a list with one number per call</source>
        <translation>pipeline_stage ist weder eine Zahl noch eine Liste mit einer Zahl je Aufruf</translation>
    </message>
    <message>
        <source>give one stage per call of the layer</source>
        <translation>geben Sie je Aufruf der Schicht eine Stufe an</translation>
    </message>
    <message>
        <source>a layer is not an object</source>
        <translation>eine Schicht ist kein Objekt</translation>
    </message>
    <message>
        <source>a layer has no class_name</source>
        <translation>eine Schicht hat keinen class_name</translation>
    </message>
    <message>
        <source>a layer of class %1 has no config</source>
        <translation>eine Schicht der Klasse %1 hat keine config</translation>
    </message>
    <message>
        <source>the layer has no inbound_nodes</source>
        <translation>die Schicht hat keine inbound_nodes</translation>
    </message>
    <message>
        <source>the model is not a JSON object</source>
        <translation>das Modell ist kein JSON-Objekt</translation>
    </message>
    <message>
        <source>the model has no class_name</source>
        <translation>das Modell hat keinen class_name</translation>
    </message>
    <message>
        <source>class_name is &apos;%1&apos;</source>
        <translation>class_name ist „%1“</translation>
    </message>
    <message>
        <source>class_name must be Sequential, Functional or Model</source>
        <translation>class_name muss Sequential, Functional oder Model sein</translation>
    </message>
    <message>
        <source>the model has no config</source>
        <translation>das Modell hat keine config</translation>
    </message>
    <message>
        <source>the model&apos;s config has no list of layers</source>
        <translation>die config des Modells hat keine Liste von Schichten</translation>
    </message>
    <message>
        <source>two layers are named &apos;%1&apos;</source>
        <translation>zwei Schichten heißen „%1“</translation>
    </message>
    <message>
        <source>names of layers must differ</source>
        <translation>Namen von Schichten müssen sich unterscheiden</translation>
    </message>
    <message>
        <source>the model&apos;s config has no %1</source>
        <translation>die config des Modells hat kein %1</translation>
    </message>
    <message>
        <source>a model as a layer (%1) comes from an imported model, with its layers</source>
        <translation>ein Modell als Schicht (%1) kommt aus einem importierten Modell, mit seinen Schichten</translation>
    </message>
    <message>
        <source>put its layers into this model</source>
        <translation>setzen Sie seine Schichten in dieses Modell</translation>
    </message>
    <message>
        <source>layer class %1 is not supported yet</source>
        <translation>Schichtklasse %1 wird noch nicht unterstützt</translation>
    </message>
    <message>
        <source>supported are the classes that `tilewright layers` lists</source>
        <translation>unterstützt sind die Klassen, die `tilewright layers` nennt</translation>
    </message>
    <message>
        <source>no layer class is named &apos;%1&apos;</source>
        <translation>keine Schichtklasse heißt „%1“</translation>
    </message>
    <message>
        <source>the layer inside is not of the form {&quot;class_name&quot;: …, &quot;config&quot;: {…}}</source>
        <translation>die Schicht darin hat nicht die Form {&quot;class_name&quot;: …, &quot;config&quot;: {…}}</translation>
    </message>
    <message>
        <source>give the class and the arguments of a layer</source>
        <translation>geben Sie Klasse und Argumente einer Schicht an</translation>
    </message>
    <message>
        <source>axis %1 is not an axis of %2 other than the batch</source>
        <translation>Achse %1 ist keine Achse von %2 außer dem Batch</translation>
    </message>
    <message>
        <source>use an axis from 1 to %1, or -1 for the last</source>
        <translation>nehmen Sie eine Achse von 1 bis %1, oder -1 für die letzte</translation>
    </message>
    <message>
        <source>query %1, value %2 and key %3 do not go together</source>
        <translation>query %1, value %2 und key %3 passen nicht zusammen</translation>
    </message>
    <message>
        <source>give [batch, Tq, dim], [batch, Tv, any] and [batch, Tv, dim]; without a key the value is the key</source>
        <translation>geben Sie [batch, Tq, dim], [batch, Tv, beliebig] und [batch, Tv, dim]; ohne key ist value der key</translation>
    </message>
    <message>
        <source>a %1 cannot be read in both directions</source>
        <translation>%1 kann nicht in beiden Richtungen gelesen werden</translation>
    </message>
    <message>
        <source>put an LSTM, a GRU or a SimpleRNN into it</source>
        <translation>setzen Sie LSTM, GRU oder SimpleRNN hinein</translation>
    </message>
    <message>
        <source>its two layers must differ in %1</source>
        <translation>ihre zwei Schichten müssen sich in %1 unterscheiden</translation>
    </message>
    <message>
        <source>its two layers must agree in %1</source>
        <translation>ihre zwei Schichten müssen in %1 übereinstimmen</translation>
    </message>
    <message>
        <source>change backward_layer, or leave it out</source>
        <translation>ändern Sie backward_layer, oder lassen Sie es weg</translation>
    </message>
    <message>
        <source>inputs %1 and %2 differ outside axis %3</source>
        <translation>Eingänge %1 und %2 unterscheiden sich außerhalb von Achse %3</translation>
    </message>
    <message>
        <source>all extents but that of the axis must be equal</source>
        <translation>alle Ausdehnungen außer der dieser Achse müssen gleich sein</translation>
    </message>
    <message>
        <source>strides above 1 and dilation_rate above 1 cannot be combined</source>
        <translation>strides über 1 und dilation_rate über 1 gehen nicht zusammen</translation>
    </message>
    <message>
        <source>set one of them to 1</source>
        <translation>setzen Sie eines davon auf 1</translation>
    </message>
    <message>
        <source>padding &apos;causal&apos; needs data_format &apos;channels_last&apos;</source>
        <translation>padding „causal“ braucht data_format „channels_last“</translation>
    </message>
    <message>
        <source>set data_format to channels_last</source>
        <translation>setzen Sie data_format auf channels_last</translation>
    </message>
    <message>
        <source>%1 input channels cannot be cut into %2 groups</source>
        <translation>%1 Eingangskanäle lassen sich nicht in %2 Gruppen teilen</translation>
    </message>
    <message>
        <source>use a number of groups that divides the channels</source>
        <translation>nehmen Sie eine Zahl von Gruppen, die die Kanäle teilt</translation>
    </message>
    <message>
        <source>%1 filters cannot be cut into %2 groups</source>
        <translation>%1 Filter lassen sich nicht in %2 Gruppen teilen</translation>
    </message>
    <message>
        <source>use a number of groups that divides the filters</source>
        <translation>nehmen Sie eine Zahl von Gruppen, die die Filter teilt</translation>
    </message>
    <message>
        <source>output_padding %1 is not below its stride %2</source>
        <translation>output_padding %1 liegt nicht unter seinem Schritt %2</translation>
    </message>
    <message>
        <source>use a smaller output_padding</source>
        <translation>nehmen Sie ein kleineres output_padding</translation>
    </message>
    <message>
        <source>the result would have no element along axis %1</source>
        <translation>das Ergebnis hätte auf Achse %1 kein Element</translation>
    </message>
    <message>
        <source>use a larger kernel or output_padding</source>
        <translation>nehmen Sie einen größeren Kernel oder ein größeres output_padding</translation>
    </message>
    <message>
        <source>input of rank %1, %2; Dense needs a batch and at least one more axis</source>
        <translation>Eingang vom Rang %1, %2; Dense braucht einen Batch und mindestens eine weitere Achse</translation>
    </message>
    <message>
        <source>put a Reshape or an input with more axes before it</source>
        <translation>setzen Sie ein Reshape oder einen Eingang mit mehr Achsen davor</translation>
    </message>
    <message>
        <source>input %1 of rank %2; Dot takes ranks 2 and 3</source>
        <translation>Eingang %1 vom Rang %2; Dot nimmt Rang 2 und 3</translation>
    </message>
    <message>
        <source>put a Reshape before it</source>
        <translation>setzen Sie ein Reshape davor</translation>
    </message>
    <message>
        <source>inputs %1 and %2 differ along the axes of the product</source>
        <translation>Eingänge %1 und %2 unterscheiden sich auf den Achsen des Produkts</translation>
    </message>
    <message>
        <source>the two axes must be equally long</source>
        <translation>die beiden Achsen müssen gleich lang sein</translation>
    </message>
    <message>
        <source>rate is 1: nothing would pass</source>
        <translation>rate ist 1: nichts käme durch</translation>
    </message>
    <message>
        <source>use a rate of at least 0 and below 1</source>
        <translation>nehmen Sie eine Rate ab 0 und unter 1</translation>
    </message>
    <message>
        <source>noise_shape is not supported yet</source>
        <translation>noise_shape wird noch nicht unterstützt</translation>
    </message>
    <message>
        <source>set noise_shape to null</source>
        <translation>setzen Sie noise_shape auf null</translation>
    </message>
    <message>
        <source>input %1 is not of input_length %2</source>
        <translation>Eingang %1 hat nicht input_length %2</translation>
    </message>
    <message>
        <source>give the input&apos;s length, or null</source>
        <translation>geben Sie die Länge des Eingangs an, oder null</translation>
    </message>
    <message>
        <source>channels_first is not supported yet</source>
        <translation>channels_first wird noch nicht unterstützt</translation>
    </message>
    <message>
        <source>use data_format channels_last</source>
        <translation>nehmen Sie data_format channels_last</translation>
    </message>
    <message>
        <source>extent %1 of the input is not known</source>
        <translation>Ausdehnung %1 des Eingangs ist nicht bekannt</translation>
    </message>
    <message>
        <source>give every extent but the batch: all shapes must be known when compiling</source>
        <translation>geben Sie jede Ausdehnung außer dem Batch an: alle Formen müssen beim Kompilieren bekannt sein</translation>
    </message>
    <message>
        <source>extent %1 of the input is %2</source>
        <translation>Ausdehnung %1 des Eingangs ist %2</translation>
    </message>
    <message>
        <source>give an integer from 1 to 1000000000</source>
        <translation>geben Sie eine ganze Zahl von 1 bis 1000000000 an</translation>
    </message>
    <message>
        <source>%1 inputs do not exist on an IPU</source>
        <translation>Eingänge der Art %1 gibt es auf einer IPU nicht</translation>
    </message>
    <message>
        <source>feed dense tensors</source>
        <translation>speisen Sie dichte Tensoren ein</translation>
    </message>
    <message>
        <source>input of rank %1, %2; Masking needs a batch, time steps and features</source>
        <translation>Eingang vom Rang %1, %2; Masking braucht Batch, Zeitschritte und Merkmale</translation>
    </message>
    <message>
        <source>put a Reshape or an input with two axes beside the batch before it</source>
        <translation>setzen Sie ein Reshape oder einen Eingang mit zwei Achsen neben dem Batch davor</translation>
    </message>
    <message>
        <source>%1 cannot broadcast its inputs %2</source>
        <translation>%1 kann seine Eingänge %2 nicht aufeinander ausdehnen</translation>
    </message>
    <message>
        <source>extents must be equal or 1, from the last axis on</source>
        <translation>Ausdehnungen müssen gleich oder 1 sein, von der letzten Achse an</translation>
    </message>
    <message>
        <source>inputs with different batch sizes %1 and %2</source>
        <translation>Eingänge mit verschiedenen Batch-Größen %1 und %2</translation>
    </message>
    <message>
        <source>give all inputs the same batch size</source>
        <translation>geben Sie allen Eingängen dieselbe Batch-Größe</translation>
    </message>
    <message>
        <source>input %1; MultiHeadAttention needs [batch, positions, features]</source>
        <translation>Eingang %1; MultiHeadAttention braucht [batch, Positionen, Merkmale]</translation>
    </message>
    <message>
        <source>value %1 and key %2 have other numbers of positions</source>
        <translation>value %1 und key %2 haben verschieden viele Positionen</translation>
    </message>
    <message>
        <source>value and key belong together, position by position</source>
        <translation>value und key gehören Position für Position zusammen</translation>
    </message>
    <message>
        <source>attention_mask %1 does not go with %2 queries and %3 keys</source>
        <translation>attention_mask %1 passt nicht zu %2 Abfragen und %3 Schlüsseln</translation>
    </message>
    <message>
        <source>give [batch, queries, keys] or [batch, heads, queries, keys]; 1 in place of one of them stands for all</source>
        <translation>geben Sie [Batch, Abfragen, Schlüssel] oder [Batch, Köpfe, Abfragen, Schlüssel]; 1 an einer Stelle steht für alle</translation>
    </message>
    <message>
        <source>attention_axes is not supported yet</source>
        <translation>attention_axes wird noch nicht unterstützt</translation>
    </message>
    <message>
        <source>set attention_axes to null</source>
        <translation>setzen Sie attention_axes auf null</translation>
    </message>
    <message>
        <source>input %1 of rank %2; %3 needs rank %4</source>
        <translation>Eingang %1 vom Rang %2; %3 braucht Rang %4</translation>
    </message>
    <message>
        <source>no axis is given</source>
        <translation>keine Achse ist angegeben</translation>
    </message>
    <message>
        <source>an axis is given twice</source>
        <translation>eine Achse ist doppelt angegeben</translation>
    </message>
    <message>
        <source>name each axis once</source>
        <translation>nennen Sie jede Achse einmal</translation>
    </message>
    <message>
        <source>channels_axis %1 of %2 is neither the first axis after the batch nor the last</source>
        <translation>channels_axis %1 von %2 ist weder die erste Achse nach dem Batch noch die letzte</translation>
    </message>
    <message>
        <source>use 1 or -1</source>
        <translation>nehmen Sie 1 oder -1</translation>
    </message>
    <message>
        <source>%1 channels cannot be cut into %2 groups</source>
        <translation>%1 Kanäle lassen sich nicht in %2 Gruppen teilen</translation>
    </message>
    <message>
        <source>dims %1 are %2 axes, a sample of %3 has %4</source>
        <translation>dims %1 sind %2 Achsen, ein Beispiel von %3 hat %4</translation>
    </message>
    <message>
        <source>name every axis of a sample once, counted from 1</source>
        <translation>nennen Sie jede Achse eines Beispiels einmal, gezählt ab 1</translation>
    </message>
    <message>
        <source>dims %1 are no permutation of 1 to %2</source>
        <translation>dims %1 sind keine Permutation von 1 bis %2</translation>
    </message>
    <message>
        <source>name every axis of a sample once, counted from 1; the batch stays first</source>
        <translation>nennen Sie jede Achse eines Beispiels einmal, gezählt ab 1; der Batch bleibt vorn</translation>
    </message>
    <message>
        <source>the input %1 has rank %2; %3 needs rank %4, [%5]</source>
        <translation>Eingang %1 vom Rang %2; %3 braucht Rang %4, [%5]</translation>
    </message>
    <message>
        <source>batch, channels, …</source>
        <translation>Batch, Kanäle, …</translation>
    </message>
    <message>
        <source>batch, …, channels</source>
        <translation>Batch, …, Kanäle</translation>
    </message>
    <message>
        <source>%1 is 1: nothing would pass</source>
        <translation>%1 ist 1: nichts käme durch</translation>
    </message>
    <message>
        <source>time_major is not supported yet</source>
        <translation>time_major wird noch nicht unterstützt</translation>
    </message>
    <message>
        <source>set time_major to false and give the batch first</source>
        <translation>setzen Sie time_major auf false und geben Sie den Batch zuerst</translation>
    </message>
    <message>
        <source>input of rank %1, %2; %3 needs a batch, time steps and features</source>
        <translation>Eingang vom Rang %1, %2; %3 braucht Batch, Zeitschritte und Merkmale</translation>
    </message>
    <message>
        <source>an initial state for a part of the state</source>
        <translation>ein Anfangszustand für einen Teil des Zustands</translation>
    </message>
    <message>
        <source>connect all of it, or none</source>
        <translation>verbinden Sie alles davon oder nichts</translation>
    </message>
    <message>
        <source>an initial state of shape %1; it must be %2</source>
        <translation>ein Anfangszustand der Form %1; er muss %2 sein</translation>
    </message>
    <message>
        <source>give it as many features as the layer has units</source>
        <translation>geben Sie ihm so viele Merkmale, wie die Schicht units hat</translation>
    </message>
    <message>
        <source>input %1; RepeatVector needs [batch, features]</source>
        <translation>Eingang %1; RepeatVector braucht [batch, Merkmale]</translation>
    </message>
    <message>
        <source>put a Flatten before it</source>
        <translation>setzen Sie ein Flatten davor</translation>
    </message>
    <message>
        <source>target_shape is %1</source>
        <translation>target_shape ist %1</translation>
    </message>
    <message>
        <source>use extents of 1 or more, at most one of them -1</source>
        <translation>nehmen Sie Ausdehnungen ab 1, höchstens eine davon -1</translation>
    </message>
    <message>
        <source>target_shape %1 does not hold the %2 elements of a sample of %3</source>
        <translation>target_shape %1 fasst nicht die %2 Elemente eines Beispiels von %3</translation>
    </message>
    <message>
        <source>the product of target_shape must be %1; one extent may be -1</source>
        <translation>das Produkt von target_shape muss %1 sein; eine Ausdehnung darf -1 sein</translation>
    </message>
    <message>
        <source>cropping %1 leaves nothing of %2</source>
        <translation>cropping %1 lässt nichts von %2 übrig</translation>
    </message>
    <message>
        <source>crop less, or give it a larger input</source>
        <translation>schneiden Sie weniger ab, oder geben Sie einen größeren Eingang</translation>
    </message>
    <message>
        <source>size %1 makes an axis of %2 longer than a thousand million</source>
        <translation>size %1 macht eine Achse von %2 länger als eine Milliarde</translation>
    </message>
    <message>
        <source>repeat less often</source>
        <translation>wiederholen Sie seltener</translation>
    </message>
    <message>
        <source>a layer of several outputs cannot be applied to each step</source>
        <translation>eine Schicht mit mehreren Ausgängen lässt sich nicht auf jeden Schritt anwenden</translation>
    </message>
    <message>
        <source>let it give one: return_state false</source>
        <translation>lassen Sie sie einen geben: return_state false</translation>
    </message>
    <message>
        <source>a %1 cannot be applied to each step</source>
        <translation>%1 kann nicht auf jeden Schritt angewandt werden</translation>
    </message>
    <message>
        <source>put a layer of one floating-point input into it</source>
        <translation>setzen Sie eine Schicht mit einem Gleitkomma-Eingang hinein</translation>
    </message>
    <message>
        <source>input of rank %1, %2; TimeDistributed needs a batch, time steps and features</source>
        <translation>Eingang vom Rang %1, %2; TimeDistributed braucht Batch, Zeitschritte und Merkmale</translation>
    </message>
    <message>
        <source>a window of %1 does not fit an axis of %2 in %3</source>
        <translation>ein Fenster von %1 passt nicht auf eine Achse von %2 in %3</translation>
    </message>
    <message>
        <source>make the window smaller or use padding &apos;same&apos;</source>
        <translation>machen Sie das Fenster kleiner oder nehmen Sie padding „same“</translation>
    </message>
    <message>
        <source>a loss is a name or an object with class_name and config</source>
        <translation>ein Loss ist ein Name oder ein Objekt mit class_name und config</translation>
    </message>
    <message>
        <source>for example &quot;mean_squared_error&quot;, or a list of them, one for each output</source>
        <translation>zum Beispiel &quot;mean_squared_error&quot;, oder eine Liste davon, einen für jeden Ausgang</translation>
    </message>
    <message>
        <source>no loss is named &apos;%1&apos;</source>
        <translation>kein Loss heißt „%1“</translation>
    </message>
    <message>
        <source>labels of shape %1 do not fit predictions of shape %2</source>
        <translation>Labels der Form %1 passen nicht zu Vorhersagen der Form %2</translation>
    </message>
    <message>
        <source>this loss requires labels of shape %1</source>
        <translation>dieser Loss verlangt Labels der Form %1</translation>
    </message>
    <message>
        <source>a metric is a name or an object with class_name and config</source>
        <translation>eine Metrik ist ein Name oder ein Objekt mit class_name und config</translation>
    </message>
    <message>
        <source>for example &quot;accuracy&quot;</source>
        <translation>zum Beispiel &quot;accuracy&quot;</translation>
    </message>
    <message>
        <source>metric %1 is not supported yet</source>
        <translation>Metrik %1 wird noch nicht unterstützt</translation>
    </message>
    <message>
        <source>no metric is named &apos;%1&apos;</source>
        <translation>keine Metrik heißt „%1“</translation>
    </message>
    <message>
        <source>the model has no layer named &apos;%1&apos;</source>
        <translation>das Modell hat keine Schicht „%1“</translation>
    </message>
    <message>
        <source>the path ends at the layer</source>
        <translation>der Pfad endet bei der Schicht</translation>
    </message>
    <message>
        <source>add an argument, like layers.%1.trainable</source>
        <translation>hängen Sie ein Argument an, etwa layers.%1.trainable</translation>
    </message>
    <message>
        <source>layer class %1 has no field named &apos;%2&apos;</source>
        <translation>Schichtklasse %1 hat kein Feld „%2“</translation>
    </message>
    <message>
        <source>a layer&apos;s name cannot be empty</source>
        <translation>der Name einer Schicht darf nicht leer sein</translation>
    </message>
    <message>
        <source>give a name</source>
        <translation>geben Sie einen Namen an</translation>
    </message>
    <message>
        <source>another layer has that name</source>
        <translation>eine andere Schicht heißt schon so</translation>
    </message>
    <message>
        <source>the model has no such field</source>
        <translation>das Modell hat dieses Feld nicht</translation>
    </message>
    <message>
        <source>fields are name and layers.NAME.ARGUMENT</source>
        <translation>Felder sind name und layers.NAME.ARGUMENT</translation>
    </message>
    <message>
        <source>a call passes one input to the model, which takes %1</source>
        <translation>ein Aufruf des Modells gibt ihm einen Eingang, es nimmt aber %1</translation>
    </message>
    <message>
        <source>a call passes %1 inputs to the model, which takes %2</source>
        <translation>ein Aufruf des Modells gibt ihm %1 Eingänge, es nimmt aber %2</translation>
    </message>
    <message>
        <source>connect as many tensors as the model has inputs</source>
        <translation>verbinden Sie so viele Tensoren, wie das Modell Eingänge hat</translation>
    </message>
    <message>
        <source>the call has keyword arguments (%1), which are not supported yet</source>
        <translation>der Aufruf hat benannte Argumente (%1), die noch nicht unterstützt werden</translation>
    </message>
    <message>
        <source>call the layer without keyword arguments</source>
        <translation>rufen Sie die Schicht ohne benannte Argumente auf</translation>
    </message>
    <message>
        <source>the models in the model make more than %1 calls of layers</source>
        <translation>die Modelle im Modell ergeben mehr als %1 Aufrufe von Schichten</translation>
    </message>
    <message>
        <source>use fewer of them</source>
        <translation>nehmen Sie weniger davon</translation>
    </message>
    <message>
        <source>inside the model something takes call %1 of a layer &apos;%2&apos; that is not there</source>
        <translation>im Modell nimmt etwas den Aufruf %1 einer Schicht „%2“, die es nicht gibt</translation>
    </message>
    <message>
        <source>connect it to one of its layers</source>
        <translation>verbinden Sie es mit einer seiner Schichten</translation>
    </message>
    <message>
        <source>there is no output %1 of call %2 of &apos;%3&apos;</source>
        <translation>es gibt keinen Ausgang %1 des Aufrufs %2 von „%3“</translation>
    </message>
    <message>
        <source>connect it to an output that exists</source>
        <translation>verbinden Sie es mit einem Ausgang, den es gibt</translation>
    </message>
    <message>
        <source>models that only hand on their inputs feed each other</source>
        <translation>Modelle, die ihre Eingänge nur weitergeben, speisen einander</translation>
    </message>
    <message>
        <source>break the cycle</source>
        <translation>unterbrechen Sie den Kreis</translation>
    </message>
    <message>
        <source>inner_optimizer is missing</source>
        <translation>inner_optimizer fehlt</translation>
    </message>
    <message>
        <source>name the optimizer that it wraps</source>
        <translation>nennen Sie den Optimierer, den er umhüllt</translation>
    </message>
    <message>
        <source>dynamic loss scaling is not supported yet</source>
        <translation>dynamische Skalierung des Loss wird noch nicht unterstützt</translation>
    </message>
    <message>
        <source>set dynamic to false and give initial_scale, or give the inner optimizer a loss_scale_factor</source>
        <translation>setzen Sie dynamic auf false und geben Sie initial_scale an, oder geben Sie dem inneren Optimierer einen loss_scale_factor</translation>
    </message>
    <message>
        <source>a constant scale needs initial_scale</source>
        <translation>ein fester Faktor braucht initial_scale</translation>
    </message>
    <message>
        <source>give a number, such as 1024</source>
        <translation>geben Sie eine Zahl an, etwa 1024</translation>
    </message>
    <message>
        <source>its inner optimizer scales the loss as well</source>
        <translation>auch der innere Optimierer skaliert den Loss</translation>
    </message>
    <message>
        <source>give one of them a scale</source>
        <translation>geben Sie nur einem von beiden einen Faktor</translation>
    </message>
    <message>
        <source>an optimizer is a name or an object with class_name and config</source>
        <translation>ein Optimierer ist ein Name oder ein Objekt mit class_name und config</translation>
    </message>
    <message>
        <source>for example &quot;rmsprop&quot;</source>
        <translation>zum Beispiel &quot;rmsprop&quot;</translation>
    </message>
    <message>
        <source>optimizer %1 is not supported yet</source>
        <translation>Optimierer %1 wird noch nicht unterstützt</translation>
    </message>
    <message>
        <source>no optimizer is named &apos;%1&apos;</source>
        <translation>kein Optimierer heißt „%1“</translation>
    </message>
    <message>
        <source>loss_scale_factor is %1, not between 1e-30 and 1e30</source>
        <translation>loss_scale_factor ist %1, nicht zwischen 1e-30 und 1e30</translation>
    </message>
    <message>
        <source>give a power of two, such as 1024, or None</source>
        <translation>geben Sie eine Zweierpotenz an, etwa 1024, oder None</translation>
    </message>
    <message>
        <source>clipnorm and global_clipnorm are both set</source>
        <translation>clipnorm und global_clipnorm sind beide gesetzt</translation>
    </message>
    <message>
        <source>set one of them to None</source>
        <translation>setzen Sie eines davon auf None</translation>
    </message>
    <message>
        <source>argument &apos;%1&apos; is %2, which is not %3</source>
        <translation>Argument „%1“ ist %2; erlaubt ist: %3</translation>
    </message>
    <message>
        <source>give %1</source>
        <translation>geben Sie an: %1</translation>
    </message>
    <message>
        <source>give %1; the default is %2</source>
        <translation>geben Sie an: %1; Vorgabe ist %2</translation>
    </message>
    <message>
        <source>%1 from %2 to %3</source>
        <translation>%1 von %2 bis %3</translation>
    </message>
    <message>
        <source>%1 of at least %2</source>
        <translation>%1 ab %2</translation>
    </message>
    <message>
        <source>%1 of at most %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>an integer, a list of %1 integers, or a list of %1 pairs [before, after]</source>
        <translation>eine ganze Zahl, eine Liste von %1 ganzen Zahlen oder eine Liste von %1 Paaren [davor, danach]</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>ein Text</translation>
    </message>
    <message>
        <source>an integer or a list of %1 integers</source>
        <translation>eine ganze Zahl oder eine Liste von %1 ganzen Zahlen</translation>
    </message>
    <message>
        <source>a list of integers</source>
        <translation>eine Liste ganzer Zahlen</translation>
    </message>
    <message>
        <source>a list of numbers</source>
        <translation>eine Liste von Zahlen</translation>
    </message>
    <message>
        <source>a list of extents, like [null, 784]</source>
        <translation>eine Liste von Ausdehnungen wie [null, 784]</translation>
    </message>
    <message>
        <source>float32, float16, mixed_float16, int32, uint8 or bool</source>
        <translation>float32, float16, mixed_float16, int32, uint8 oder bool</translation>
    </message>
    <message>
        <source>argument &apos;%1&apos;: %2s are not supported yet</source>
        <translation>Argument „%1“: %2 wird noch nicht unterstützt</translation>
    </message>
    <message>
        <source>set %1 to null</source>
        <translation>setzen Sie %1 auf null</translation>
    </message>
    <message>
        <source>did you mean &apos;%1&apos;?</source>
        <translation>meinten Sie „%1“?</translation>
    </message>
    <message>
        <source>known: %1</source>
        <translation>bekannt: %1</translation>
    </message>
    <message>
        <source>the arguments are not an object</source>
        <translation>die Argumente sind kein Objekt</translation>
    </message>
    <message>
        <source>give {&quot;argument&quot;: value, ...}</source>
        <translation>geben Sie {&quot;Argument&quot;: Wert, ...} an</translation>
    </message>
    <message>
        <source>argument &apos;%1&apos; is missing</source>
        <translation>Argument „%1“ fehlt</translation>
    </message>
    <message>
        <source>give %1 (%2)</source>
        <translation>geben Sie %1 an (%2)</translation>
    </message>
    <message>
        <source>argument &apos;%1&apos; is supported only as %2</source>
        <translation>Argument „%1“ wird nur als %2 unterstützt</translation>
    </message>
    <message>
        <source>leave it out</source>
        <translation>lassen Sie es weg</translation>
    </message>
    <message>
        <source>no argument is named &apos;%1&apos;</source>
        <translation>kein Argument heißt „%1“</translation>
    </message>
    <message>
        <source>no output of the model depends on this layer</source>
        <translation>kein Ausgang des Modells hängt von dieser Schicht ab</translation>
    </message>
    <message>
        <source>connect it towards an output or remove it</source>
        <translation>verbinden Sie sie zu einem Ausgang hin oder entfernen Sie sie</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>mindestens %1</translation>
    </message>
    <message>
        <source>%1 takes %2 inputs but has %3</source>
        <translation>%1 nimmt %2 Eingänge, hat aber %3</translation>
    </message>
    <message>
        <source>use a functional model: in a Sequential one every layer has one input</source>
        <translation>nehmen Sie ein funktionales Modell: in einem Sequential-Modell hat jede Schicht einen Eingang</translation>
    </message>
    <message>
        <source>connect %1 inputs</source>
        <translation>verbinden Sie %1 Eingänge</translation>
    </message>
    <message>
        <source>output of shape %1 is too large</source>
        <translation>der Ausgang der Form %1 ist zu groß</translation>
    </message>
    <message>
        <source>a tensor may have at most 10^12 elements</source>
        <translation>ein Tensor darf höchstens 10^12 Elemente haben</translation>
    </message>
    <message>
        <source>its input has a mask of the steps that count, and %1 does not support masks</source>
        <translation>der Eingang hat eine Maske der gültigen Schritte, und %1 unterstützt keine Masken</translation>
    </message>
    <message>
        <source>put a layer that takes the mask (LSTM, GRU, Attention, GlobalAveragePooling1D) before it, or make none: mask_zero false</source>
        <translation>setzen Sie eine Schicht davor, die die Maske nimmt (LSTM, GRU, Attention, GlobalAveragePooling1D), oder erzeugen Sie keine: mask_zero false</translation>
    </message>
    <message>
        <source>dtype %1 cannot be computed with in %2</source>
        <translation>mit dtype %1 kann %2 nicht rechnen</translation>
    </message>
    <message>
        <source>use float32 or float16</source>
        <translation>nehmen Sie float32 oder float16</translation>
    </message>
    <message>
        <source>weight %1 of shape %2 is too large</source>
        <translation>Gewicht %1 der Form %2 ist zu groß</translation>
    </message>
    <message>
        <source>the shared layer is called with inputs of shape %1, for which its weights do not fit</source>
        <translation>die geteilte Schicht wird mit Eingängen der Form %1 aufgerufen, zu denen ihre Gewichte nicht passen</translation>
    </message>
    <message>
        <source>call a shared layer with equal shapes except for the batch</source>
        <translation>rufen Sie eine geteilte Schicht mit gleichen Formen auf, vom Batch abgesehen</translation>
    </message>
    <message>
        <source>there are %1 boundaries and %2 values</source>
        <translation>es gibt %1 Grenzen und %2 Werte</translation>
    </message>
    <message>
        <source>give one value more than boundaries</source>
        <translation>geben Sie einen Wert mehr als Grenzen an</translation>
    </message>
    <message>
        <source>the boundaries are not in ascending order</source>
        <translation>die Grenzen steigen nicht an</translation>
    </message>
    <message>
        <source>sort them</source>
        <translation>ordnen Sie sie</translation>
    </message>
    <message>
        <source>a value is negative</source>
        <translation>ein Wert ist negativ</translation>
    </message>
    <message>
        <source>give rates of at least 0</source>
        <translation>geben Sie Raten ab 0 an</translation>
    </message>
    <message>
        <source>a learning rate is a number or an object with class_name and config</source>
        <translation>eine Lernrate ist eine Zahl oder ein Objekt mit class_name und config</translation>
    </message>
    <message>
        <source>no schedule of the learning rate is named &apos;%1&apos;</source>
        <translation>kein Verlauf der Lernrate heißt „%1“</translation>
    </message>
    <message>
        <source>a pipeline needs at least one stage</source>
        <translation>eine Pipeline braucht mindestens eine Stufe</translation>
    </message>
    <message>
        <source>request two stages or more</source>
        <translation>verlangen Sie zwei Stufen oder mehr</translation>
    </message>
    <message>
        <source>%1 stages are too many: the model can be cut into %2 parts</source>
        <translation>%1 Stufen für ein Modell, das sich in %2 Teile schneiden lässt</translation>
    </message>
    <message>
        <source>request at most %1 stages</source>
        <translation>verlangen Sie höchstens %1 Stufen</translation>
    </message>
    <message>
        <source>there are %1 stages but %2 layer calls</source>
        <translation>%1 Stufen für %2 Schichtaufrufe</translation>
    </message>
    <message>
        <source>give one stage per call, input layers left out</source>
        <translation>geben Sie je Aufruf eine Stufe an, Eingangsschichten ausgenommen</translation>
    </message>
    <message>
        <source>entry %1 is for layer %2 instead of %3</source>
        <translation>Eintrag %1 ist für Schicht %2, erwartet war %3</translation>
    </message>
    <message>
        <source>keep the order of the list that was read</source>
        <translation>behalten Sie die Reihenfolge der gelesenen Liste</translation>
    </message>
    <message>
        <source>stage %1 is out of range</source>
        <translation>Stufe %1 gibt es nicht</translation>
    </message>
    <message>
        <source>use a stage of 0 or more</source>
        <translation>nehmen Sie eine Stufe ab 0</translation>
    </message>
    <message>
        <source>the layer has no pipeline stage</source>
        <translation>die Schicht hat keine Pipeline-Stufe</translation>
    </message>
    <message>
        <source>give every layer a stage, or none</source>
        <translation>geben Sie jeder Schicht eine Stufe, oder keiner</translation>
    </message>
    <message>
        <source>stage %1 depends on layer %2 of the later stage %3</source>
        <translation>Stufe %1 hängt von Schicht %2 der späteren Stufe %3 ab</translation>
    </message>
    <message>
        <source>move it to stage %1 or later</source>
        <translation>verschieben Sie sie in Stufe %1 oder später</translation>
    </message>
    <message>
        <source>pipeline stages without layers: %1</source>
        <translation>Pipeline-Stufen ohne Schichten: %1</translation>
    </message>
    <message>
        <source>number the stages from 0 without gaps</source>
        <translation>zählen Sie die Stufen ab 0 ohne Lücken</translation>
    </message>
    <message>
        <source>a pipeline needs at least two stages</source>
        <translation>eine Pipeline braucht mindestens zwei Stufen</translation>
    </message>
    <message>
        <source>assign a second stage or remove the stages</source>
        <translation>vergeben Sie eine zweite Stufe oder entfernen Sie die Stufen</translation>
    </message>
    <message>
        <source>the shared layer&apos;s weights would be needed on several IPUs</source>
        <translation>die Gewichte der geteilten Schicht würden auf mehreren IPUs gebraucht</translation>
    </message>
    <message>
        <source>put all its calls into one stage</source>
        <translation>legen Sie alle ihre Aufrufe in eine Stufe</translation>
    </message>
    <message>
        <source>it names IPUs for %1 stages, but the model has %2.</source>
        <translation>es nennt IPUs für %1 Stufen, und das Modell hat %2.</translation>
    </message>
    <message>
        <source>Give a number for each stage, or null.</source>
        <translation>Geben Sie eine Nummer für jede Stufe an oder null.</translation>
    </message>
    <message>
        <source>Give the layers pipeline stages first, or set it to null.</source>
        <translation>Geben Sie den Schichten erst Pipeline-Stufen, oder setzen Sie es auf null.</translation>
    </message>
    <message>
        <source>there is no IPU %1: they are numbered from 0 to %2.</source>
        <translation>es gibt keine IPU %1: Sie sind von 0 bis %2 nummeriert.</translation>
    </message>
    <message>
        <source>stages %1 and %2 share IPU %3, which the interleaved schedule does not allow in training.</source>
        <translation>die Stufen %1 und %2 teilen sich IPU %3, was der Plan interleaved im Training nicht erlaubt.</translation>
    </message>
    <message>
        <source>Give each stage an IPU of its own, or set training.pipeline_schedule to grouped or sequential.</source>
        <translation>Geben Sie jeder Stufe eine eigene IPU, oder setzen Sie training.pipeline_schedule auf grouped oder sequential.</translation>
    </message>
    <message>
        <source>no template is named &apos;%1&apos;</source>
        <translation>keine Vorlage heißt „%1“</translation>
    </message>
    <message>
        <source>the model has no layers</source>
        <translation>das Modell hat keine Schichten</translation>
    </message>
    <message>
        <source>add an input and a layer</source>
        <translation>fügen Sie einen Eingang und eine Schicht hinzu</translation>
    </message>
    <message>
        <source>a layer has no name</source>
        <translation>eine Schicht hat keinen Namen</translation>
    </message>
    <message>
        <source>give every layer a name</source>
        <translation>geben Sie jeder Schicht einen Namen</translation>
    </message>
    <message>
        <source>an input layer can only come first in a Sequential model</source>
        <translation>in einem Sequential-Modell steht eine Eingangsschicht nur am Anfang</translation>
    </message>
    <message>
        <source>remove it or make the model functional</source>
        <translation>entfernen Sie sie oder machen Sie das Modell funktional</translation>
    </message>
    <message>
        <source>the layer has %1 outputs, but a Sequential model passes on only one</source>
        <translation>die Schicht hat %1 Ausgänge, und ein Sequential-Modell gibt einen weiter</translation>
    </message>
    <message>
        <source>make the model functional, or let the layer return one output (return_state false)</source>
        <translation>machen Sie das Modell funktional, oder lassen Sie die Schicht einen geben (return_state false)</translation>
    </message>
    <message>
        <source>the model&apos;s input shape is not known</source>
        <translation>die Form des Eingangs ist nicht bekannt</translation>
    </message>
    <message>
        <source>put an InputLayer first or give the first layer a batch_input_shape</source>
        <translation>setzen Sie einen InputLayer an den Anfang oder geben Sie der ersten Schicht eine batch_input_shape</translation>
    </message>
    <message>
        <source>an input layer takes no input</source>
        <translation>eine Eingangsschicht nimmt keinen Eingang</translation>
    </message>
    <message>
        <source>remove its connection</source>
        <translation>entfernen Sie ihre Verbindung</translation>
    </message>
    <message>
        <source>the model has no output</source>
        <translation>das Modell hat keinen Ausgang</translation>
    </message>
    <message>
        <source>mark at least one layer as output</source>
        <translation>machen Sie mindestens eine Schicht zum Ausgang</translation>
    </message>
    <message>
        <source>an input of the model must be an InputLayer</source>
        <translation>ein Eingang des Modells muss ein InputLayer sein</translation>
    </message>
    <message>
        <source>feed it through an InputLayer</source>
        <translation>speisen Sie ihn durch einen InputLayer</translation>
    </message>
    <message>
        <source>refers to layer &apos;%1&apos;, which does not exist</source>
        <translation>verweist auf Schicht „%1“, die es nicht gibt</translation>
    </message>
    <message>
        <source>refers to call %1 of layer &apos;%2&apos;, which has %3</source>
        <translation>verweist auf Aufruf %1 der Schicht „%2“, die %3 hat</translation>
    </message>
    <message>
        <source>connect the layer</source>
        <translation>verbinden Sie die Schicht</translation>
    </message>
    <message>
        <source>calls are counted from 0</source>
        <translation>Aufrufe zählen ab 0</translation>
    </message>
    <message>
        <source>refers to output %1 of layer &apos;%2&apos;, which has %3</source>
        <translation>verweist auf Ausgang %1 der Schicht „%2“, die %3 hat</translation>
    </message>
    <message>
        <source>one output</source>
        <translation>einen Ausgang</translation>
    </message>
    <message>
        <source>%1 outputs</source>
        <translation>%1 Ausgänge</translation>
    </message>
    <message>
        <source>outputs are counted from 0</source>
        <translation>Ausgänge werden ab 0 gezählt</translation>
    </message>
    <message>
        <source>the layers form a cycle: %1</source>
        <translation>die Schichten bilden einen Kreis: %1</translation>
    </message>
    <message>
        <source>remove one of these connections</source>
        <translation>entfernen Sie eine dieser Verbindungen</translation>
    </message>
    <message>
        <source>the input layer is used, but it is not an input of the model</source>
        <translation>die Eingangsschicht wird benutzt, ist aber kein Eingang des Modells</translation>
    </message>
    <message>
        <source>add it to the model&apos;s inputs</source>
        <translation>nehmen Sie sie zu den Eingängen des Modells</translation>
    </message>
    <message>
        <source>the layer has no input</source>
        <translation>die Schicht hat keinen Eingang</translation>
    </message>
    <message>
        <source>connect it or remove it</source>
        <translation>verbinden oder entfernen Sie sie</translation>
    </message>
    <message>
        <source>its arguments are not an object</source>
        <translation>seine Argumente sind kein Objekt</translation>
    </message>
    <message>
        <source>give {&quot;%1&quot;: …}</source>
        <translation>geben Sie {&quot;%1&quot;: …} an</translation>
    </message>
    <message>
        <source>%1 is not a number above 0</source>
        <translation>%1 ist keine Zahl über 0</translation>
    </message>
    <message>
        <source>give a number, such as 1.0</source>
        <translation>geben Sie eine Zahl an, etwa 1.0</translation>
    </message>
    <message>
        <source>a block is a name, or an object with one name and its arguments</source>
        <translation>ein Block ist ein Name oder ein Objekt aus einem Namen und seinen Argumenten</translation>
    </message>
    <message>
        <source>for example &quot;gradients&quot;, or {&quot;clip&quot;: {&quot;global_norm&quot;: 1.0}}</source>
        <translation>zum Beispiel &quot;gradients&quot; oder {&quot;clip&quot;: {&quot;global_norm&quot;: 1.0}}</translation>
    </message>
    <message>
        <source>no block is named &apos;%1&apos;</source>
        <translation>kein Block heißt „%1“</translation>
    </message>
    <message>
        <source>%1 takes no arguments</source>
        <translation>%1 nimmt keine Argumente</translation>
    </message>
    <message>
        <source>write &quot;%1&quot;</source>
        <translation>schreiben Sie &quot;%1&quot;</translation>
    </message>
    <message>
        <source>clip bounds by one of global_norm, norm and value</source>
        <translation>clip begrenzt durch eines von global_norm, norm und value</translation>
    </message>
    <message>
        <source>use one block for each</source>
        <translation>nehmen Sie für jedes einen Block</translation>
    </message>
    <message>
        <source>weights is not a list of names</source>
        <translation>weights ist keine Liste von Namen</translation>
    </message>
    <message>
        <source>for example [&quot;dense/*&quot;], or leave it out</source>
        <translation>zum Beispiel [&quot;dense/*&quot;], oder lassen Sie es weg</translation>
    </message>
    <message>
        <source>while needs a bound</source>
        <translation>while braucht eine Grenze</translation>
    </message>
    <message>
        <source>write {&quot;while&quot;: {&quot;loss_above&quot;: 0.1}}</source>
        <translation>schreiben Sie {&quot;while&quot;: {&quot;loss_above&quot;: 0.1}}</translation>
    </message>
    <message>
        <source>loss_above is not a number</source>
        <translation>loss_above ist keine Zahl</translation>
    </message>
    <message>
        <source>give a number, such as 0.1</source>
        <translation>geben Sie eine Zahl an, etwa 0.1</translation>
    </message>
    <message>
        <source>a training loop is a list of blocks</source>
        <translation>eine Trainingsschleife ist eine Liste von Blöcken</translation>
    </message>
    <message>
        <source>for example [&quot;gradients&quot;, &quot;apply&quot;]</source>
        <translation>zum Beispiel [&quot;gradients&quot;, &quot;apply&quot;]</translation>
    </message>
    <message>
        <source>the first block is &apos;%1&apos;, but there are no gradients yet</source>
        <translation>der erste Block ist „%1“: noch hat nichts Gradienten</translation>
    </message>
    <message>
        <source>begin with &quot;gradients&quot;</source>
        <translation>beginnen Sie mit &quot;gradients&quot;</translation>
    </message>
    <message>
        <source>there are gradients already</source>
        <translation>Gradienten gibt es schon</translation>
    </message>
    <message>
        <source>remove this block</source>
        <translation>lassen Sie diesen Block weg</translation>
    </message>
    <message>
        <source>&apos;%1&apos; comes after an update and can no longer affect it</source>
        <translation>„%1“ kommt nach einer Änderung, an der es nichts mehr ändert</translation>
    </message>
    <message>
        <source>move it before the first apply</source>
        <translation>stellen Sie es vor das erste apply</translation>
    </message>
    <message>
        <source>training.gradient_accumulation_steps is 1</source>
        <translation>training.gradient_accumulation_steps ist 1</translation>
    </message>
    <message>
        <source>set it to the number of micro-batches, or leave this block out</source>
        <translation>setzen Sie es auf die Zahl der Micro-Batches, oder lassen Sie diesen Block weg</translation>
    </message>
    <message>
        <source>accumulation does not follow the gradients</source>
        <translation>die Akkumulation folgt nicht auf die Gradienten</translation>
    </message>
    <message>
        <source>put it directly after &quot;gradients&quot;</source>
        <translation>stellen Sie sie gleich hinter &quot;gradients&quot;</translation>
    </message>
    <message>
        <source>two updates claim the weights that no other block names</source>
        <translation>zwei Änderungen nehmen die Gewichte, die kein anderer Block nimmt</translation>
    </message>
    <message>
        <source>name the weights of one of them</source>
        <translation>nennen Sie die Gewichte einer davon</translation>
    </message>
    <message>
        <source>there are blocks after while</source>
        <translation>nach while folgen Blöcke</translation>
    </message>
    <message>
        <source>put while last: it repeats all blocks before it</source>
        <translation>stellen Sie while ans Ende: es wiederholt alles davor</translation>
    </message>
    <message>
        <source>while does not work with pipeline stages yet</source>
        <translation>while arbeitet noch nicht mit Pipelinestufen zusammen</translation>
    </message>
    <message>
        <source>put all layers into one stage, or leave it out</source>
        <translation>legen Sie alle Schichten in eine Stufe, oder lassen Sie es weg</translation>
    </message>
    <message>
        <source>while does not work with gradient accumulation yet</source>
        <translation>while geht noch nicht mit Akkumulation</translation>
    </message>
    <message>
        <source>set training.gradient_accumulation_steps to 1</source>
        <translation>setzen Sie training.gradient_accumulation_steps auf 1</translation>
    </message>
    <message>
        <source>no block updates weights</source>
        <translation>nichts wird geändert</translation>
    </message>
    <message>
        <source>add &quot;apply&quot;</source>
        <translation>ergänzen Sie &quot;apply&quot;</translation>
    </message>
    <message>
        <source>training.gradient_accumulation_steps is %1, but the loop does not accumulate</source>
        <translation>training.gradient_accumulation_steps ist %1, aber die Schleife akkumuliert nicht</translation>
    </message>
    <message>
        <source>put &quot;accumulate&quot; after &quot;gradients&quot;, or set it to 1</source>
        <translation>setzen Sie &quot;accumulate&quot; hinter &quot;gradients&quot;, oder stellen Sie es auf 1</translation>
    </message>
    <message>
        <source>no block uses training.optimizer, which would have no effect</source>
        <translation>kein Block nimmt training.optimizer, der keine Wirkung hätte</translation>
    </message>
    <message>
        <source>remove the optimizer of one apply</source>
        <translation>lassen Sie den Optimierer eines apply weg</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a trained weight</source>
        <translation>„%1“ ist kein trainiertes Gewicht</translation>
    </message>
    <message>
        <source>its optimizer&apos;s loss_scale_factor is not that of the apply before it</source>
        <translation>loss_scale_factor seines Optimierers ist nicht der des apply davor</translation>
    </message>
    <message>
        <source>the loss is scaled only once: give every optimizer the same loss_scale_factor</source>
        <translation>der Loss wird nur einmal skaliert: geben Sie jedem Optimierer denselben</translation>
    </message>
    <message>
        <source>no block updates &apos;%1&apos;</source>
        <translation>kein Block ändert „%1“</translation>
    </message>
    <message>
        <source>name it in an apply, or make its layer not trainable</source>
        <translation>nennen Sie es in einem apply, oder machen Sie seine Schicht nicht trainierbar</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is updated by %2 as well</source>
        <translation>„%1“ wird auch von %2 geändert</translation>
    </message>
    <message>
        <source>name each weight in one apply</source>
        <translation>nennen Sie jedes Gewicht in einem apply</translation>
    </message>
    <message>
        <source>give one loss, or one per output</source>
        <translation>geben Sie einen Loss an, oder einen je Ausgang</translation>
    </message>
    <message>
        <source>the plan has no such field</source>
        <translation>der Plan hat dieses Feld nicht</translation>
    </message>
    <message>
        <source>did you mean &apos;training.optimizer.%1&apos;?</source>
        <translation>meinten Sie „training.optimizer.%1“?</translation>
    </message>
    <message>
        <source>a pipeline of %1 stages under the %2 schedule needs a multiple of %3 gradient accumulation steps, not %4</source>
        <translation>eine Pipeline von %1 Stufen im Plan %2 braucht ein Vielfaches von %3 Akkumulationsschritten, nicht %4</translation>
    </message>
    <message>
        <source>set gradient_accumulation_steps to %1 or a multiple of it</source>
        <translation>setzen Sie gradient_accumulation_steps auf %1 oder ein Vielfaches davon</translation>
    </message>
    <message>
        <source>steps_per_execution %1 of model %2 is not divisible by the %3 gradient accumulation steps</source>
        <translation>steps_per_execution %1 von Modell %2 ist nicht durch die %3 Akkumulationsschritte teilbar</translation>
    </message>
    <message>
        <source>set steps_per_execution to a multiple of %1</source>
        <translation>setzen Sie steps_per_execution auf ein Vielfaches von %1</translation>
    </message>
    <message>
        <source>the training plan is not an object</source>
        <translation>der Trainingsplan ist kein Objekt</translation>
    </message>
    <message>
        <source>give {&quot;batch_size&quot;: 32, ...}</source>
        <translation>geben Sie {&quot;batch_size&quot;: 32, ...} an</translation>
    </message>
    <message>
        <source>there are %1 losses but %2 outputs</source>
        <translation>%1 Losses für %2 Ausgänge</translation>
    </message>
    <message>
        <source>there are %1 loss weights but %2 outputs</source>
        <translation>%1 Loss-Gewichte für %2 Ausgänge</translation>
    </message>
    <message>
        <source>give one weight per output, or none</source>
        <translation>geben Sie ein Gewicht je Ausgang an, oder keines</translation>
    </message>
    <message>
        <source>there are %1 lists of metrics but %2 outputs</source>
        <translation>%1 Listen von Metriken für %2 Ausgänge</translation>
    </message>
    <message>
        <source>give one list for all outputs, one per output, or lists by the outputs&apos; names</source>
        <translation>geben Sie eine Liste für alle Ausgänge an, eine je Ausgang, oder Listen nach den Namen der Ausgänge</translation>
    </message>
    <message>
        <source>class weights need a model with one output; this one has %1</source>
        <translation>bei einem Modell mit %1 Ausgängen hat ein Beispiel nicht die eine Klasse</translation>
    </message>
    <message>
        <source>weigh the samples (data.sample_weight), or the losses (loss_weights)</source>
        <translation>gewichten Sie die Beispiele (data.sample_weight) oder die Losses (loss_weights)</translation>
    </message>
    <message>
        <source>there are %1 weights but %2 classes</source>
        <translation>%1 Gewichte für %2 Klassen</translation>
    </message>
    <message>
        <source>give one weight per class, or none</source>
        <translation>geben Sie ein Gewicht je Klasse an oder keines</translation>
    </message>
    <message>
        <source>%1 needs an axis of at least two classes, but output %2 has shape %3</source>
        <translation>%1 auf Ausgang %2 der Form %3, der keine Achse mit mindestens zwei Klassen hat</translation>
    </message>
    <message>
        <source>use a last layer with one output per class, or BinaryCrossentropy for a single one</source>
        <translation>nehmen Sie als letzte Schicht eine mit einem Ausgang je Klasse, oder BinaryCrossentropy für einen einzigen</translation>
    </message>
    <message>
        <source>no optimizer is set</source>
        <translation>kein Optimierer ist gesetzt</translation>
    </message>
    <message>
        <source>set training.optimizer, for example to sgd</source>
        <translation>setzen Sie training.optimizer, zum Beispiel auf sgd</translation>
    </message>
    <message>
        <source>model %1 has no trainable weights</source>
        <translation>Modell %1 hat keine trainierbaren Gewichte</translation>
    </message>
    <message>
        <source>add a layer with weights or unfreeze one</source>
        <translation>fügen Sie eine Schicht mit Gewichten hinzu, oder lösen Sie eine</translation>
    </message>
    <message>
        <source>%1 takes one operand.</source>
        <translation>%1 hat einen Operanden.</translation>
    </message>
    <message>
        <source>a convolution takes two operands.</source>
        <translation>eine Faltung hat zwei Operanden.</translation>
    </message>
    <message>
        <source>the operands have different types.</source>
        <translation>die Operanden haben verschiedene Typen.</translation>
    </message>
    <message>
        <source>has no operand.</source>
        <translation>hat keinen Operanden.</translation>
    </message>
    <message>
        <source>needs %1 operands, has %2.</source>
        <translation>braucht %1 Operanden, hat %2.</translation>
    </message>
    <message>
        <source>the operands have types %1 and %2.</source>
        <translation>die Operanden haben die Typen %1 und %2.</translation>
    </message>
    <message>
        <source>shapes %1 and %2 do not broadcast.</source>
        <translation>die Formen %1 und %2 lassen sich nicht ausweiten.</translation>
    </message>
    <message>
        <source>a look-up takes a table and row numbers.</source>
        <translation>ein Nachschlagen hat eine Tabelle und Nummern.</translation>
    </message>
    <message>
        <source>the table must be a matrix, but it is %1.</source>
        <translation>die Tabelle muss eine Matrix sein, ist %1.</translation>
    </message>
    <message>
        <source>row numbers must be integers.</source>
        <translation>Zeilen werden durch ganze Zahlen benannt.</translation>
    </message>
    <message>
        <source>an update takes rows and row numbers.</source>
        <translation>eine Änderung hat Zeilen und Nummern.</translation>
    </message>
    <message>
        <source>rows need a last axis.</source>
        <translation>Zeilen brauchen eine letzte Achse.</translation>
    </message>
    <message>
        <source>rows %1 do not match row numbers %2.</source>
        <translation>die Zeilen %1 passen nicht zu den Nummern %2.</translation>
    </message>
    <message>
        <source>the table needs a row.</source>
        <translation>die Tabelle braucht eine Zeile.</translation>
    </message>
    <message>
        <source>one-hot positions must be integers.</source>
        <translation>eine Eins steht an einer ganzen Zahl.</translation>
    </message>
    <message>
        <source>a row needs an element: depth is below 1.</source>
        <translation>eine Zeile braucht ein Element: depth ist unter 1.</translation>
    </message>
    <message>
        <source>there is no type &apos;%1&apos;.</source>
        <translation>es gibt keinen Typ „%1“.</translation>
    </message>
    <message>
        <source>a slice takes a tensor and the integer where it begins.</source>
        <translation>ein Ausschnitt hat einen Tensor und die ganze Zahl, an der er beginnt.</translation>
    </message>
    <message>
        <source>size %1 is not within %2.</source>
        <translation>die Größe %1 liegt nicht in %2.</translation>
    </message>
    <message>
        <source>an update takes a tensor, the part to write and the integer where the part begins.</source>
        <translation>eine Änderung hat einen Tensor, seinen Teil und die ganze Zahl, an der der Teil beginnt.</translation>
    </message>
    <message>
        <source>cross-entropy needs a class dimension.</source>
        <translation>die Kreuzentropie braucht eine Dimension der Klassen.</translation>
    </message>
    <message>
        <source>labels must be whole numbers.</source>
        <translation>Labels müssen ganze Zahlen sein.</translation>
    </message>
    <message>
        <source>labels %1 do not match predictions %2.</source>
        <translation>die Labels %1 passen nicht zu den Vorhersagen %2.</translation>
    </message>
    <message>
        <source>targets %1 do not match predictions %2.</source>
        <translation>die Zielwerte %1 passen nicht zu den Vorhersagen %2.</translation>
    </message>
    <message>
        <source>a matrix product takes two operands.</source>
        <translation>ein Matrixprodukt hat zwei Operanden.</translation>
    </message>
    <message>
        <source>the second operand must be a matrix, but it is %1.</source>
        <translation>der zweite Operand muss eine Matrix sein, ist %1.</translation>
    </message>
    <message>
        <source>inner dimensions of %1 and %2 differ.</source>
        <translation>die inneren Dimensionen von %1 und %2 unterscheiden sich.</translation>
    </message>
    <message>
        <source>operands %1 and %2 hold different numbers of matrices.</source>
        <translation>die Operanden %1 und %2 sind nicht gleich viele Matrizen.</translation>
    </message>
    <message>
        <source>perm must name each of the %1 axes of %2 once.</source>
        <translation>perm muss jede der %1 Achsen von %2 einmal nennen.</translation>
    </message>
    <message>
        <source>a normalisation takes one operand.</source>
        <translation>eine Normalisierung hat einen Operanden.</translation>
    </message>
    <message>
        <source>the gradient of a normalisation takes three operands.</source>
        <translation>der Gradient einer Normalisierung hat drei Operanden.</translation>
    </message>
    <message>
        <source>the number of variances is not the number of groups.</source>
        <translation>es gibt nicht eine Varianz für jede Gruppe.</translation>
    </message>
    <message>
        <source>the gradient has shape %1, the result %2.</source>
        <translation>der Gradient hat die Form %1, das Ergebnis %2.</translation>
    </message>
    <message>
        <source>there is nothing to join.</source>
        <translation>nichts zu verbinden.</translation>
    </message>
    <message>
        <source>axis %1 does not exist in %2.</source>
        <translation>Achse %1 gibt es in %2 nicht.</translation>
    </message>
    <message>
        <source>the ranks differ.</source>
        <translation>die Ränge unterscheiden sich.</translation>
    </message>
    <message>
        <source>shapes %1 and %2 do not join along axis %3.</source>
        <translation>die Formen %1 und %2 lassen sich nicht entlang Achse %3 verbinden.</translation>
    </message>
    <message>
        <source>a pooling takes one operand.</source>
        <translation>ein Pooling hat einen Operanden.</translation>
    </message>
    <message>
        <source>the gradient of a pooling has the wrong number of operands.</source>
        <translation>der Gradient eines Poolings hat eine andere Zahl von Operanden.</translation>
    </message>
    <message>
        <source>extent has the wrong rank.</source>
        <translation>extent hat einen anderen Rang.</translation>
    </message>
    <message>
        <source>rate must be at least 0 and below 1.</source>
        <translation>rate muss mindestens 0 und unter 1 sein.</translation>
    </message>
    <message>
        <source>a dropout takes an operand and a counter.</source>
        <translation>ein Dropout hat einen Operanden und einen Zähler.</translation>
    </message>
    <message>
        <source>noise takes an operand that gives its shape, and a counter.</source>
        <translation>Rauschen hat einen Operanden als Vorlage und einen Zähler.</translation>
    </message>
    <message>
        <source>stddev must be at least 0.</source>
        <translation>stddev muss mindestens 0 sein.</translation>
    </message>
    <message>
        <source>a reduction takes one operand.</source>
        <translation>eine Reduktion hat einen Operanden.</translation>
    </message>
    <message>
        <source>axes must be rows, cols or all, but it is &apos;%1&apos;.</source>
        <translation>axes muss rows, cols oder all sein, ist „%1“.</translation>
    </message>
    <message>
        <source>a split takes one tensor.</source>
        <translation>ein Tensor wird geteilt.</translation>
    </message>
    <message>
        <source>%1 cannot be divided into %2 equal parts.</source>
        <translation>%1 hat keine %2 gleichen Teile.</translation>
    </message>
    <message>
        <source>a body reads a variable that is differentiated; read the variable outside the loop or branch</source>
        <translation>ein Rumpf liest eine Variable, nach der abgeleitet wird; sie muss außerhalb der Schleife oder Verzweigung gelesen werden</translation>
    </message>
    <message>
        <source>the trainable variable has no gradient: the loss does not depend on it</source>
        <translation>die trainierbare Variable hat keinen Gradienten: Der Loss hängt nicht von ihr ab</translation>
    </message>
    <message>
        <source>connect its layer to an output that has a loss, or set trainable to false</source>
        <translation>verbinden Sie ihre Schicht mit einem Ausgang, der einen Loss hat, oder setzen Sie trainable auf false</translation>
    </message>
    <message>
        <source>its predicate may differ between replicas: they would take different branches</source>
        <translation>was darüber entscheidet, kann sich zwischen Replikas unterscheiden, die dann verschiedene Wege gingen</translation>
    </message>
    <message>
        <source>sum or average it over the replicas first, or use one replica</source>
        <translation>summieren oder mitteln Sie es zuvor über die Replikas, oder verwenden Sie eine Replika</translation>
    </message>
    <message>
        <source>there is no pass &apos;%1&apos;</source>
        <translation>kein Durchgang heißt „%1“</translation>
    </message>
    <message>
        <source>there are: %1</source>
        <translation>es gibt: %1</translation>
    </message>
    <message>
        <source>after pass %1: %2</source>
        <translation>nach dem Durchgang %1: %2</translation>
    </message>
    <message>
        <source>the LOOK_AHEAD scheduler does not exist yet; CHOOSE_BEST is used</source>
        <translation>den LOOK_AHEAD-Scheduler gibt es noch nicht; CHOOSE_BEST wird verwendet</translation>
    </message>
    <message>
        <source>set it to CHOOSE_BEST</source>
        <translation>setzen Sie ihn auf CHOOSE_BEST</translation>
    </message>
    <message>
        <source>there is no scheduler &apos;%1&apos;</source>
        <translation>kein Scheduler heißt „%1“</translation>
    </message>
    <message>
        <source>use CHOOSE_BEST, CLUSTERING, POST_ORDER, SHORTEST_PATH or LOOK_AHEAD</source>
        <translation>verwenden Sie CHOOSE_BEST, CLUSTERING, POST_ORDER, SHORTEST_PATH oder LOOK_AHEAD</translation>
    </message>
    <message>
        <source>holds a value at the end that was never assigned to it</source>
        <translation>enthält am Ende, was ihm nie zugewiesen wurde</translation>
    </message>
    <message>
        <source>reads %1 after its storage was overwritten</source>
        <translation>liest %1, nachdem sein Speicher überschrieben wurde</translation>
    </message>
    <message>
        <source>reads a variable whose storage was overwritten</source>
        <translation>liest eine Variable, deren Speicher überschrieben wurde</translation>
    </message>
    <message>
        <source>overwrites a constant, a feed or a value from outside its region</source>
        <translation>überschreibt eine Konstante, eine Zufuhr oder einen Wert von außerhalb seines Bereichs</translation>
    </message>
    <message>
        <source>there is no such codelet</source>
        <translation>es gibt kein solches Codelet</translation>
    </message>
    <message>
        <source>`tilewright vertex --list` lists all codelets.</source>
        <translation>`vertex --list` nennt alle.</translation>
    </message>
    <message>
        <source>Did you mean &quot;%1&quot;?</source>
        <translation>Meinten Sie „%1“?</translation>
    </message>
    <message>
        <source>a map cannot hold this operation</source>
        <translation>eine Map kann diese Operation nicht enthalten</translation>
    </message>
    <message>
        <source>See UnaryOp1D and BinaryOp1D for the names.</source>
        <translation>Die Namen stehen bei UnaryOp1D und BinaryOp1D.</translation>
    </message>
    <message>
        <source>Give a whole number from %1 to %2.</source>
        <translation>Geben Sie eine ganze Zahl von %1 bis %2 an.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; %2</source>
        <translation>„%1“ %2</translation>
    </message>
    <message>
        <source>is not a whole number</source>
        <translation>ist keine ganze Zahl</translation>
    </message>
    <message>
        <source>is out of range</source>
        <translation>liegt außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>is not a list of sizes</source>
        <translation>ist keine Liste von Größen</translation>
    </message>
    <message>
        <source>Give numbers like 64,64,32.</source>
        <translation>Geben Sie Zahlen wie 64,64,32 an.</translation>
    </message>
    <message>
        <source>is not an element type</source>
        <translation>ist kein Elementtyp</translation>
    </message>
    <message>
        <source>Use f16, f32, f8, i32, u32, u8 or bool.</source>
        <translation>Verwenden Sie f16, f32, f8, i32, u32, u8 oder bool.</translation>
    </message>
    <message>
        <source>is not possible here</source>
        <translation>ist hier nicht möglich</translation>
    </message>
    <message>
        <source>Use one of %1.</source>
        <translation>Verwenden Sie eines von %1.</translation>
    </message>
    <message>
        <source>is neither 0 nor 1</source>
        <translation>ist weder 0 noch 1</translation>
    </message>
    <message>
        <source>Give 0 or 1.</source>
        <translation>Geben Sie 0 oder 1 an.</translation>
    </message>
    <message>
        <source>It has no parameters.</source>
        <translation>Es hat keine Parameter.</translation>
    </message>
    <message>
        <source>Its parameters are %1.</source>
        <translation>Seine Parameter sind %1.</translation>
    </message>
    <message>
        <source>the codelet has no such parameter</source>
        <translation>das Codelet hat keinen solchen Parameter</translation>
    </message>
    <message>
        <source>the codelet needs this parameter: %1</source>
        <translation>das Codelet braucht diesen Parameter: %1</translation>
    </message>
    <message>
        <source>Add %1=VALUE.</source>
        <translation>Ergänzen Sie %1=WERT.</translation>
    </message>
    <message>
        <source>the parameters together describe more work than any tile could hold</source>
        <translation>die Parameter beschreiben zusammen mehr Arbeit, als ein Tile fassen kann</translation>
    </message>
    <message>
        <source>Give sizes of one tile.</source>
        <translation>Geben Sie Größen eines Tiles an.</translation>
    </message>
    <message>
        <source>Use the out-of-place form or another type.</source>
        <translation>Verwenden Sie die Form, die nicht an Ort und Stelle rechnet, oder einen anderen Typ.</translation>
    </message>
    <message>
        <source>Use another type.</source>
        <translation>Verwenden Sie einen anderen Typ.</translation>
    </message>
    <message>
        <source>Known: %1.</source>
        <translation>Bekannt: %1.</translation>
    </message>
    <message>
        <source>there is no codelet for this type</source>
        <translation>für diesen Typ gibt es kein Codelet</translation>
    </message>
    <message>
        <source>the operation is not known</source>
        <translation>die Operation ist nicht bekannt</translation>
    </message>
    <message>
        <source>there is no vector-inner codelet for it</source>
        <translation>dafür gibt es kein Vector-Inner-Codelet</translation>
    </message>
    <message>
        <source>Use add, subtract, multiply or divide of f16 or f32.</source>
        <translation>Verwenden Sie add, subtract, multiply oder divide mit f16 oder f32.</translation>
    </message>
    <message>
        <source>its order is not a permutation of its dimensions</source>
        <translation>seine Reihenfolge ist keine Permutation seiner Dimensionen</translation>
    </message>
    <message>
        <source>two of its copies are on one tile</source>
        <translation>zwei seiner Kopien liegen auf einem Tile</translation>
    </message>
    <message>
        <source>a dimension that is not an index has a halo or a group</source>
        <translation>ein Halo oder eine Gruppe einer Dimension, die kein Index ist</translation>
    </message>
    <message>
        <source>blocks are missing or empty</source>
        <translation>Blöcke fehlen oder sind leer</translation>
    </message>
    <message>
        <source>a halo is larger than its block</source>
        <translation>ein Halo ist größer als sein Block</translation>
    </message>
    <message>
        <source>a block holds only padding</source>
        <translation>ein Block besteht nur aus Rand</translation>
    </message>
    <message>
        <source>it has both addends and slots</source>
        <translation>Summanden von Plätzen</translation>
    </message>
    <message>
        <source>it has no dimension of the tensor</source>
        <translation>keine Dimension des Tensors</translation>
    </message>
    <message>
        <source>the lowered program is not well formed: %1</source>
        <translation>das Programm ist nicht wohlgeformt: %1</translation>
    </message>
    <message>
        <source>unknown kind of variable</source>
        <translation>unbekannte Art von Variable</translation>
    </message>
    <message>
        <source>is placed on tiles that the machine does not have</source>
        <translation>liegt auf einer anderen Maschine</translation>
    </message>
    <message>
        <source>the layout has no or too many dimensions</source>
        <translation>ein Layout ohne oder mit zu vielen Dimensionen</translation>
    </message>
    <message>
        <source>starts on a negative tile</source>
        <translation>beginnt auf einem negativen Tile</translation>
    </message>
    <message>
        <source>unknown kind of dimension</source>
        <translation>unbekannte Art von Dimension</translation>
    </message>
    <message>
        <source>empty layout</source>
        <translation>leeres Layout</translation>
    </message>
    <message>
        <source>more elements than any machine holds</source>
        <translation>mehr Elemente, als eine Maschine fasst</translation>
    </message>
    <message>
        <source>more blocks than any machine has tiles</source>
        <translation>mehr Blöcke, als eine Maschine Tiles hat</translation>
    </message>
    <message>
        <source>a negative stride of tiles, or a negative halo</source>
        <translation>ein negativer Schritt der Tiles oder ein negativer Halo</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>two blocks on one tile: %1</source>
        <translation>zwei Blöcke auf einem Tile: %1</translation>
    </message>
    <message>
        <source>the shape is empty or too large</source>
        <translation>die Form ist leer oder zu groß</translation>
    </message>
    <message>
        <source>the layout does not hold its tensor</source>
        <translation>das Layout enthält seinen Tensor nicht</translation>
    </message>
    <message>
        <source>is kept, but not all of it has a place</source>
        <translation>wird behalten, aber nicht alles davon hat einen Platz</translation>
    </message>
    <message>
        <source>codelet does not exist</source>
        <translation>das Codelet existiert nicht</translation>
    </message>
    <message>
        <source>family has no leading field</source>
        <translation>die Familie hat kein führendes Feld</translation>
    </message>
    <message>
        <source>field does not exist</source>
        <translation>das Feld existiert nicht</translation>
    </message>
    <message>
        <source>unknown kind of access</source>
        <translation>unbekannte Art von Zugriff</translation>
    </message>
    <message>
        <source>a field&apos;s slice is outside its block</source>
        <translation>der Ausschnitt eines Felds liegt außerhalb seines Blocks</translation>
    </message>
    <message>
        <source>%1 has no block on tile %2</source>
        <translation>%1 hat keinen Block auf Tile %2</translation>
    </message>
    <message>
        <source>not every block of %1 is written</source>
        <translation>nicht jeder Block von %1 wird geschrieben</translation>
    </message>
    <message>
        <source>two vertices access %1, and one of them writes</source>
        <translation>zwei Vertices greifen auf %1 zu, einer davon schreibend</translation>
    </message>
    <message>
        <source>element sizes differ: %1</source>
        <translation>die Elementgrößen unterscheiden sich: %1</translation>
    </message>
    <message>
        <source>%1 are not twins</source>
        <translation>%1 sind keine Zwillinge</translation>
    </message>
    <message>
        <source>too many loops: %1</source>
        <translation>zu viele Schleifen: %1</translation>
    </message>
    <message>
        <source>an empty loop: %1</source>
        <translation>eine leere Schleife: %1</translation>
    </message>
    <message>
        <source>transfer %1 reaches outside its tensors</source>
        <translation>die Übertragung %1 verlässt ihre Tensoren</translation>
    </message>
    <message>
        <source>elements of %1 are written twice</source>
        <translation>Elemente von %1 werden zweimal geschrieben</translation>
    </message>
    <message>
        <source>reads elements of %1 that no block holds</source>
        <translation>liest Elemente von %1, die kein Block enthält</translation>
    </message>
    <message>
        <source>an addend or slot does not exist: %1</source>
        <translation>ein Summand oder Platz existiert nicht: %1</translation>
    </message>
    <message>
        <source>a slot of %1 must be named</source>
        <translation>ein Platz von %1 muss genannt sein</translation>
    </message>
    <message>
        <source>partial counts differ: %1</source>
        <translation>die Zahlen der Teilsummen unterscheiden sich: %1</translation>
    </message>
    <message>
        <source>one of the addends of %1 would replace their sum</source>
        <translation>einer der Summanden von %1 stünde für ihre Summe</translation>
    </message>
    <message>
        <source>%1 needs no regrouping</source>
        <translation>%1 braucht keine Umordnung</translation>
    </message>
    <message>
        <source>all addends of %1 are written, and one of them again</source>
        <translation>alle Summanden von %1 werden geschrieben, einer davon noch einmal</translation>
    </message>
    <message>
        <source>%1 has too many elements to be put together</source>
        <translation>%1 hat zu viele Elemente, um zusammengesetzt zu werden</translation>
    </message>
    <message>
        <source>two transfers write an element of %1</source>
        <translation>zwei Übertragungen schreiben ein Element von %1</translation>
    </message>
    <message>
        <source>ends of a ring differ</source>
        <translation>die Enden eines Rings unterscheiden sich</translation>
    </message>
    <message>
        <source>the ends of a ring are on different tiles</source>
        <translation>die Enden eines Rings liegen auf anderen Tiles</translation>
    </message>
    <message>
        <source>%1 is sent and received at the same time</source>
        <translation>%1 wird zugleich gesendet und empfangen</translation>
    </message>
    <message>
        <source>it has no predicate</source>
        <translation>nichts entscheidet darüber</translation>
    </message>
    <message>
        <source>has a predicate that is not used</source>
        <translation>hat ein Prädikat, das nichts entscheidet</translation>
    </message>
    <message>
        <source>needs two children</source>
        <translation>braucht zwei Kinder</translation>
    </message>
    <message>
        <source>its predicate does not exist</source>
        <translation>sein Prädikat existiert nicht</translation>
    </message>
    <message>
        <source>%1 is not a scalar predicate</source>
        <translation>%1 ist kein Skalar, der entscheidet</translation>
    </message>
    <message>
        <source>%1 is not on every tile</source>
        <translation>%1 liegt nicht auf jedem Tile</translation>
    </message>
    <message>
        <source>step does not exist</source>
        <translation>der Schritt existiert nicht</translation>
    </message>
    <message>
        <source>step contains itself</source>
        <translation>der Schritt enthält sich selbst</translation>
    </message>
    <message>
        <source>unknown kind of step</source>
        <translation>unbekannte Art von Schritt</translation>
    </message>
    <message>
        <source>repeats a negative number of times</source>
        <translation>wiederholt weniger als nie</translation>
    </message>
    <message>
        <source>compute set does not exist</source>
        <translation>das Compute-Set existiert nicht</translation>
    </message>
    <message>
        <source>exchange does not exist</source>
        <translation>der Austausch existiert nicht</translation>
    </message>
    <message>
        <source>stream does not exist</source>
        <translation>der Stream existiert nicht</translation>
    </message>
    <message>
        <source>its entries are not the children of its main step</source>
        <translation>seine Einstiege sind nicht die Kinder seines Hauptschritts</translation>
    </message>
    <message>
        <source>%1 is read before it is regrouped</source>
        <translation>%1 wird gelesen, bevor es umgeordnet ist</translation>
    </message>
    <message>
        <source>%1 arrives in two orders</source>
        <translation>%1 kommt in zwei Reihenfolgen an</translation>
    </message>
    <message>
        <source>%1 is regrouped but never arrives</source>
        <translation>%1 wird umgeordnet, ohne angekommen zu sein</translation>
    </message>
    <message>
        <source>there is no such machine</source>
        <translation>keine solche Maschine</translation>
    </message>
    <message>
        <source>sends elements that no block holds</source>
        <translation>sendet Elemente, die kein Block enthält</translation>
    </message>
    <message>
        <source>finishes sums of a variable that does not exist</source>
        <translation>beendet Summen keiner Variablen</translation>
    </message>
    <message>
        <source>this part of the project is not valid JSON.</source>
        <translation>dieser Teil des Projekts ist kein gültiges JSON.</translation>
    </message>
    <message>
        <source>this part of the project is not an object.</source>
        <translation>dieser Teil des Projekts ist kein Objekt.</translation>
    </message>
    <message>
        <source>Restore it from a backup or export.</source>
        <translation>Stellen Sie ihn aus einer Sicherung oder Ausgabe wieder her.</translation>
    </message>
    <message>
        <source>no such field.</source>
        <translation>das Feld gibt es nicht.</translation>
    </message>
    <message>
        <source>Fields start with title, model., ipu_config., system., training., data. or engine_options.</source>
        <translation>Felder beginnen mit title, model., ipu_config., system., training., data. oder engine_options.</translation>
    </message>
    <message>
        <source>this is a group of fields, but the value is not a JSON object.</source>
        <translation>das ist eine Gruppe von Feldern, und der Wert ist kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>Write an object, or set its fields one by one.</source>
        <translation>Schreiben Sie ein Objekt, oder setzen Sie die Felder einzeln.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a value of this field.</source>
        <translation>„%1“ ist kein Wert dieses Feldes.</translation>
    </message>
    <message>
        <source>Write a number, true, false or null.</source>
        <translation>Schreiben Sie eine Zahl, true, false oder null.</translation>
    </message>
    <message>
        <source>the project holds no model.</source>
        <translation>das Projekt enthält kein Modell.</translation>
    </message>
    <message>
        <source>Add a &apos;model&apos; part in Keras to_json form.</source>
        <translation>Fügen Sie einen Teil „model“ in der Form von Keras&apos; to_json hinzu.</translation>
    </message>
    <message>
        <source>the target is not a text.</source>
        <translation>das Ziel ist kein Text.</translation>
    </message>
    <message>
        <source>Write a name such as &quot;gc200&quot;.</source>
        <translation>Schreiben Sie einen Namen wie &quot;gc200&quot;.</translation>
    </message>
    <message>
        <source>there is no engine option of this name; it is kept, and a compile refuses it</source>
        <translation>es gibt keine Engine-Option dieses Namens; sie bleibt erhalten, und ein Kompilieren lehnt sie ab</translation>
    </message>
    <message>
        <source>the layout of the canvas is damaged.</source>
        <translation>die Anordnung der Zeichenfläche ist beschädigt.</translation>
    </message>
    <message>
        <source>The canvas arranges the model again.</source>
        <translation>Sie wird neu gezeichnet.</translation>
    </message>
    <message>
        <source>this is a group of fields and cannot be set as one value.</source>
        <translation>das ist eine Gruppe von Feldern, die sich nicht als Ganzes setzen lässt.</translation>
    </message>
    <message>
        <source>Set its fields one by one; `tilewright get PROJECT %1` shows them.</source>
        <translation>Setzen Sie ihre Felder einzeln; `tilewright get PROJECT %1` zeigt sie.</translation>
    </message>
    <message>
        <source>no device with %1 IPUs for /device:IPU:0: %2 has %3.</source>
        <translation>kein Gerät mit %1 IPUs für /device:IPU:0: %2 hat %3.</translation>
    </message>
    <message>
        <source>Choose a larger system.target; `tilewright devices` lists the devices.</source>
        <translation>Wählen Sie ein größeres system.target; `tilewright devices` nennt die Geräte.</translation>
    </message>
    <message>
        <source>the system of %1 has no device with id %2.</source>
        <translation>das System von %1 hat kein Gerät mit der Nummer %2.</translation>
    </message>
    <message>
        <source>a layout has %1 columns, not %2</source>
        <translation>ein Layout hat %1 Spalten, nicht %2</translation>
    </message>
    <message>
        <source>a lowered variable has an impossible id</source>
        <translation>eine Variable des Programms hat eine unmögliche Nummer</translation>
    </message>
    <message>
        <source>a lowered variable has an unknown category, region, flag or gap reason</source>
        <translation>eine Variable des Programms hat eine unbekannte Kategorie, Lage, Markierung oder Lückenursache</translation>
    </message>
    <message>
        <source>the address of a lowered variable is out of range</source>
        <translation>die Adresse einer Variablen des Programms liegt außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>The file is damaged; write the report again.</source>
        <translation>Die Datei ist beschädigt; schreiben Sie den Bericht neu.</translation>
    </message>
    <message>
        <source>a block is shorter than its header</source>
        <translation>ein Block ist kürzer als sein Kopf</translation>
    </message>
    <message>
        <source>a block has the unknown version %1</source>
        <translation>ein Block hat die unbekannte Version %1</translation>
    </message>
    <message>
        <source>reserved bytes of a block are set</source>
        <translation>reservierte Bytes eines Blocks sind gesetzt</translation>
    </message>
    <message>
        <source>a block declares %1 items</source>
        <translation>ein Block nennt %1 Einträge</translation>
    </message>
    <message>
        <source>a block is shorter than its column headers</source>
        <translation>ein Block ist kürzer als die Köpfe seiner Spalten</translation>
    </message>
    <message>
        <source>a column has an unknown transform</source>
        <translation>eine Spalte hat eine unbekannte Umformung</translation>
    </message>
    <message>
        <source>a column has the invalid width %1</source>
        <translation>eine Spalte hat die Breite %1</translation>
    </message>
    <message>
        <source>reserved bytes of a column are set</source>
        <translation>reservierte Bytes einer Spalte sind gesetzt</translation>
    </message>
    <message>
        <source>a block is shorter than its columns</source>
        <translation>ein Block ist kürzer als seine Spalten</translation>
    </message>
    <message>
        <source>a block is longer than its columns</source>
        <translation>ein Block ist länger als seine Spalten</translation>
    </message>
    <message>
        <source>the checksum of a block is wrong</source>
        <translation>die Prüfsumme eines Blocks ist falsch</translation>
    </message>
    <message>
        <source>a column does not hold floating-point numbers</source>
        <translation>eine Spalte enthält keine Gleitkommazahlen</translation>
    </message>
    <message>
        <source>an impossible number of tiles</source>
        <translation>eine unmögliche Zahl von Tiles</translation>
    </message>
    <message>
        <source>unknown encoding %1</source>
        <translation>unbekannte Kodierung %1</translation>
    </message>
    <message>
        <source>wrong number of columns</source>
        <translation>falsche Zahl von Spalten</translation>
    </message>
    <message>
        <source>a constant vector holds more than one value</source>
        <translation>ein konstanter Vektor enthält mehr als einen Wert</translation>
    </message>
    <message>
        <source>the vector has the wrong length</source>
        <translation>der Vektor hat eine andere Länge</translation>
    </message>
    <message>
        <source>a run is longer than the vector</source>
        <translation>eine Folge ist länger als der Vektor</translation>
    </message>
    <message>
        <source>a tile is out of order or range</source>
        <translation>ein Tile ist außer der Reihe oder außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>the runs do not fill the vector</source>
        <translation>die Folgen füllen den Vektor nicht</translation>
    </message>
    <message>
        <source>this is not a number of finished steps or epochs.</source>
        <translation>das ist keine Zahl beendeter Schritte oder Epochen.</translation>
    </message>
    <message>
        <source>Write one whole number there.</source>
        <translation>Schreiben Sie dort eine ganze Zahl.</translation>
    </message>
    <message>
        <source>there is no such file of weights.</source>
        <translation>eine solche Datei mit Gewichten gibt es nicht.</translation>
    </message>
    <message>
        <source>Check the path; `train --checkpoint FILE.npz` writes one.</source>
        <translation>Prüfen Sie den Pfad; `train --checkpoint FILE.npz` schreibt eine.</translation>
    </message>
    <message>
        <source>the tensor &apos;%1&apos; has the wrong size.</source>
        <translation>der Tensor „%1“ hat die falsche Größe.</translation>
    </message>
    <message>
        <source>Train again, or use another copy of the project.</source>
        <translation>Trainieren Sie neu, oder nehmen Sie eine andere Kopie des Projekts.</translation>
    </message>
    <message>
        <source>this training starts from the beginning, and its weights will replace those of epoch %1 (step %2) in the project.</source>
        <translation>dieses Training beginnt von vorn, und seine Gewichte treten an die Stelle derer von Epoche %1 (Schritt %2), die das Projekt hält.</translation>
    </message>
    <message>
        <source>the checkpoint is from the end of epoch %1, and the training ends at epoch %2: the weights do not change.</source>
        <translation>Der Checkpoint steht hinter Epoche %1, und das Training endet mit Epoche %2: Die Gewichte bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Epochs are counted from the beginning: raise training.epochs (or --epochs) above %1.</source>
        <translation>Epochen zählen von Anfang an: Erhöhen Sie training.epochs, oder geben Sie --epochs an, auf mehr als %1.</translation>
    </message>
    <message>
        <source>Set training.validation_executable to own.</source>
        <translation>Setzen Sie training.validation_executable auf own.</translation>
    </message>
    <message>
        <source>no executable is shared: the target is the host&apos;s processor, which loads none.</source>
        <translation>nichts wird geteilt: Ziel ist der Prozessor des Rechners, der kein Executable zu laden hat.</translation>
    </message>
    <message>
        <source>no executable is shared: there are no validation samples.</source>
        <translation>nichts wird geteilt: Es gibt keine Beispiele zum Validieren.</translation>
    </message>
    <message>
        <source>operation &apos;%1&apos; has no host kernel.</source>
        <translation>Operation „%1“ hat keinen Host-Kernel.</translation>
    </message>
    <message>
        <source>Run with --mode tile.</source>
        <translation>Nehmen Sie den Tile-Modus.</translation>
    </message>
    <message>
        <source>the predicate of a branch or loop differs between replicas</source>
        <translation>ein Prädikat einer Verzweigung oder Schleife unterscheidet sich zwischen Replikas</translation>
    </message>
    <message>
        <source>the data set has no more elements.</source>
        <translation>der Datensatz hat keine weiteren Elemente.</translation>
    </message>
    <message>
        <source>Use fewer steps, or a larger data set.</source>
        <translation>Nehmen Sie weniger Schritte, oder einen größeren Datensatz.</translation>
    </message>
    <message>
        <source>the next micro-batch</source>
        <translation>der nächste Micro-Batch</translation>
    </message>
    <message>
        <source>there are no test samples and no samples are held out: the training samples are used.</source>
        <translation>es gibt keine Testbeispiele, und es sind keine zurückgehalten: das sind die Trainingsbeispiele.</translation>
    </message>
    <message>
        <source>Give test samples, or set training.validation_split.</source>
        <translation>Geben Sie Testbeispiele an, oder setzen Sie training.validation_split.</translation>
    </message>
    <message>
        <source>there is no checkpoint: the initial weights are used.</source>
        <translation>kein Checkpoint: das sind die ersten Gewichte.</translation>
    </message>
    <message>
        <source>Train first, or name one with --checkpoint.</source>
        <translation>Trainieren Sie zuerst, oder nennen Sie einen mit --checkpoint.</translation>
    </message>
    <message>
        <source>predicting</source>
        <translation>das Vorhersagen</translation>
    </message>
    <message>
        <source>the prediction of output &apos;%1&apos; is %2.</source>
        <translation>die Vorhersage des Ausgangs „%1“ ist %2.</translation>
    </message>
    <message>
        <source>not a number</source>
        <translation>keine Zahl</translation>
    </message>
    <message>
        <source>infinite</source>
        <translation>unendlich</translation>
    </message>
    <message>
        <source>options that save memory</source>
        <translation>Optionen des Speichers</translation>
    </message>
    <message>
        <source>more tiles</source>
        <translation>mehr Tiles</translation>
    </message>
    <message>
        <source>a chip with more memory</source>
        <translation>ein Chip mit mehr Speicher</translation>
    </message>
    <message>
        <source>smaller batch sizes</source>
        <translation>kleinere Batch-Größen</translation>
    </message>
    <message>
        <source>pipeline stages</source>
        <translation>Pipeline-Stufen</translation>
    </message>
    <message>
        <source>%1 (%2, %3 samples/s modelled)</source>
        <translation>%1 (%2, modelliert %3 Beispiele/s)</translation>
    </message>
    <message>
        <source>These changes were compiled, and each fits: %1.</source>
        <translation>Diese Änderungen wurden kompiliert, und jede passt: %1.</translation>
    </message>
    <message>
        <source>The stages are cut by multiply-adds, because there was no time to compile for the cycles of the layers (`tilewright stages PROJECT advise` does).</source>
        <translation>Die Stufen sind nach Multiply-Adds geteilt, weil die Zeit zum Kompilieren für die Takte der Schichten fehlte (`tilewright stages PROJEKT advise` tut das).</translation>
    </message>
    <message>
        <source>There is no other setting to try: make the layers named above smaller.</source>
        <translation>Es gibt keine andere Einstellung zu versuchen: Verkleinern Sie die oben genannten Schichten.</translation>
    </message>
    <message>
        <source>None of the changes that were tried makes it fit (%1; compiles: %2): make the layers named above smaller.</source>
        <translation>Keine der versuchten Änderungen lässt es passen (%1; Kompilierungen: %2): Verkleinern Sie die oben genannten Schichten.</translation>
    </message>
    <message>
        <source>Not tried, because a tile always holds more than it has: %1.</source>
        <translation>Nicht versucht, weil ein Tile immer mehr enthält, als es hat: %1.</translation>
    </message>
    <message>
        <source>the cpu target has no IPU program to report on.</source>
        <translation>das Ziel cpu hat kein IPU-Programm, von dem zu berichten wäre.</translation>
    </message>
    <message>
        <source>Choose an IPU target, such as gc200.</source>
        <translation>Wählen Sie ein IPU-Ziel, etwa gc200.</translation>
    </message>
    <message>
        <source>the report of the run</source>
        <translation>der Bericht des Laufs</translation>
    </message>
    <message>
        <source>Choose an IPU target, such as gc200, or train without --report.</source>
        <translation>Wählen Sie ein IPU-Ziel, etwa gc200, oder trainieren Sie ohne --report.</translation>
    </message>
    <message>
        <source>training.validation_split is set as well, to another share, and takes precedence.</source>
        <translation>training.validation_split ist auf einen anderen Anteil gesetzt, und der wird zurückgehalten.</translation>
    </message>
    <message>
        <source>Set one of the two to 0.</source>
        <translation>Setzen Sie eines der beiden auf 0.</translation>
    </message>
    <message>
        <source>one value</source>
        <translation>ein Wert</translation>
    </message>
    <message>
        <source>samples cannot be fed as %1 yet.</source>
        <translation>Beispiele lassen sich noch nicht als %1 einspeisen.</translation>
    </message>
    <message>
        <source>Make the input float32, float16 or int32.</source>
        <translation>Machen Sie den Eingang float32, float16 oder int32.</translation>
    </message>
    <message>
        <source>a sample is %1 but the model&apos;s input &apos;%2&apos; takes %3.</source>
        <translation>ein Beispiel ist %1, aber der Eingang „%2“ des Modells nimmt %3.</translation>
    </message>
    <message>
        <source>Every column but the label (data.label_column) is a value of the sample: change the model&apos;s input shape, or choose other data (data.path).</source>
        <translation>Jede Spalte außer dem Label (data.label_column) ist ein Wert des Beispiels: Ändern Sie die Eingangsform des Modells, oder wählen Sie andere Daten (data.path).</translation>
    </message>
    <message>
        <source>Change the model&apos;s input shape, or choose other data (data.path).</source>
        <translation>Ändern Sie die Form des Eingangs, oder wählen Sie andere Daten (data.path).</translation>
    </message>
    <message>
        <source>Name the array of one of them in data.inputs, such as {&quot;%1&quot;: &quot;array&quot;}.</source>
        <translation>Nennen Sie das Array für einen davon in data.inputs, etwa {&quot;%1&quot;: &quot;array&quot;}.</translation>
    </message>
    <message>
        <source>the model has no input &apos;%1&apos;.</source>
        <translation>das Modell hat keinen Eingang „%1“.</translation>
    </message>
    <message>
        <source>Correct the name in data.inputs, or remove it.</source>
        <translation>Berichtigen Sie den Namen in data.inputs, oder entfernen Sie ihn.</translation>
    </message>
    <message>
        <source>the data set has no labels.</source>
        <translation>der Datensatz hat keine Labels.</translation>
    </message>
    <message>
        <source>Name them with data.y.</source>
        <translation>Nennen Sie sie mit data.y.</translation>
    </message>
    <message>
        <source>the model has one output, whose labels are data.y.</source>
        <translation>das Modell hat einen Ausgang, dessen Labels data.y sind.</translation>
    </message>
    <message>
        <source>the model has no output &apos;%1&apos;.</source>
        <translation>das Modell hat keinen Ausgang „%1“.</translation>
    </message>
    <message>
        <source>Correct the name in data.labels, or remove it.</source>
        <translation>Berichtigen Sie den Namen in data.labels, oder entfernen Sie ihn.</translation>
    </message>
    <message>
        <source>%1 (%2 values)</source>
        <translation>%1 (%2 Werte)</translation>
    </message>
    <message>
        <source>a label is %1 but the loss takes %2.</source>
        <translation>ein Label ist %1, aber der Loss nimmt %2.</translation>
    </message>
    <message>
        <source>a label is %1 but the loss of output &apos;%2&apos; takes %3.</source>
        <translation>ein Label ist %1, aber der Loss des Ausgangs „%2“ nimmt %3.</translation>
    </message>
    <message>
        <source>Give the output labels of its own in data.labels, such as {&quot;%1&quot;: &quot;array&quot;}.</source>
        <translation>Geben Sie dem Ausgang in data.labels eigene Labels, etwa {&quot;%1&quot;: &quot;array&quot;}.</translation>
    </message>
    <message>
        <source>Use a sparse loss for class numbers, or one-hot labels.</source>
        <translation>Nehmen Sie für Klassennummern einen sparse Loss, oder One-Hot-Labels.</translation>
    </message>
    <message>
        <source>Make the model or the batch smaller, use fewer replicas, or use a machine with more memory.</source>
        <translation>Verkleinern Sie Modell oder Batch, verwenden Sie weniger Replikas oder eine Maschine mit mehr Speicher.</translation>
    </message>
    <message>
        <source>Use fewer threads (--threads) or raise the limit.</source>
        <translation>Verwenden Sie weniger Threads (--threads), oder erhöhen Sie die Grenze.</translation>
    </message>
    <message>
        <source>Fused mode (--mode fused) needs less memory.</source>
        <translation>Der Fused-Modus (--mode fused) braucht weniger.</translation>
    </message>
    <message>
        <source>running the model</source>
        <translation>das Ausführen des Modells</translation>
    </message>
    <message>
        <source>Train again with a lower training.optimizer.learning_rate, scale the data, or use other weights (--checkpoint).</source>
        <translation>Trainieren Sie neu mit einer kleineren training.optimizer.learning_rate, skalieren Sie die Daten, oder nehmen Sie andere Gewichte (--checkpoint).</translation>
    </message>
    <message>
        <source>the loss is %1 (operation &apos;%2&apos;).</source>
        <translation>der Loss ist %1 (Operation „%2“).</translation>
    </message>
    <message>
        <source>the loss is %1 (operation &apos;%2&apos;, layer &apos;%3&apos;).</source>
        <translation>der Loss ist %1 (Operation „%2“, Schicht „%3“).</translation>
    </message>
    <message>
        <source>weights of type %1 have no first values yet.</source>
        <translation>Gewichte vom Typ %1 haben noch keine ersten Werte.</translation>
    </message>
    <message>
        <source>Use float32 or float16.</source>
        <translation>Nehmen Sie float32 oder float16.</translation>
    </message>
    <message>
        <source>the checkpoint holds no such weight.</source>
        <translation>der Checkpoint enthält kein solches Gewicht.</translation>
    </message>
    <message>
        <source>Use a checkpoint of this model, or train from the start.</source>
        <translation>Nehmen Sie einen Checkpoint dieses Modells, oder trainieren Sie von vorn.</translation>
    </message>
    <message>
        <source>the checkpoint holds %1, the model has %2.</source>
        <translation>der Checkpoint enthält %1, das Modell hat %2.</translation>
    </message>
    <message>
        <source>Lower training.optimizer.learning_rate, scale the data, or clip gradients.</source>
        <translation>Senken Sie training.optimizer.learning_rate, skalieren Sie die Daten, oder beschneiden Sie Gradienten.</translation>
    </message>
    <message>
        <source>The weights of the last finished step are kept.</source>
        <translation>Die Gewichte des letzten fertigen Schritts bleiben erhalten.</translation>
    </message>
    <message>
        <source>there was no step to run: the weights in the project do not change.</source>
        <translation>es war kein Schritt zu tun: die Gewichte, die das Projekt aufbewahrt, bleiben wie sie sind.</translation>
    </message>
    <message>
        <source>Raise training.epochs, or give --epochs.</source>
        <translation>Erhöhen Sie training.epochs, oder geben Sie --epochs an.</translation>
    </message>
    <message>
        <source>the weights of this run are not kept in the project because they come from synthetic data. The weights in the project do not change.</source>
        <translation>Das Projekt behält keine Gewichte dieses Laufs: Sie stammen aus synthetischen Daten. Was es enthält, bleibt, wie es ist.</translation>
    </message>
    <message>
        <source>Train without --use_synthetic_data, or give --checkpoint FILE.npz to keep these weights anyway.</source>
        <translation>Trainieren Sie ohne --use_synthetic_data, oder geben Sie --checkpoint FILE.npz an, um diese Gewichte trotzdem zu haben.</translation>
    </message>
    <message>
        <source>training</source>
        <translation>das Training</translation>
    </message>
    <message>
        <source>Make the model smaller, or use a machine with more memory.</source>
        <translation>Verkleinern Sie das Modell, oder verwenden Sie eine Maschine mit mehr Speicher.</translation>
    </message>
    <message>
        <source>the weights and the report have the same name.</source>
        <translation>Gewichte und Bericht haben denselben Namen.</translation>
    </message>
    <message>
        <source>Name two files.</source>
        <translation>Nennen Sie zwei Dateien.</translation>
    </message>
    <message>
        <source>the program was compiled into the cache; nothing runs with PRE_COMPILE.</source>
        <translation>das Programm wurde in den Cache kompiliert; mit PRE_COMPILE läuft nichts.</translation>
    </message>
    <message>
        <source>the run makes %1 steps instead of %2, because a weight update takes %3 steps.</source>
        <translation>es werden %1 Schritte statt %2: eine Gewichtsänderung braucht %3 Schritte.</translation>
    </message>
    <message>
        <source>its update made weights that are infinite or not a number.</source>
        <translation>seine Aktualisierung ergab Gewichte, die unendlich oder keine Zahl sind.</translation>
    </message>
    <message>
        <source>the file exists and holds no weights: writing the weights would overwrite it.</source>
        <translation>die Datei gibt es schon, und sie enthält keine Gewichte: sie würde ersetzt.</translation>
    </message>
    <message>
        <source>Name another file, such as weights.npz.</source>
        <translation>Nennen Sie eine andere Datei, etwa weights.npz.</translation>
    </message>
    <message>
        <source>it has a weight &apos;%1&apos;</source>
        <translation>es hat ein Gewicht „%1“</translation>
    </message>
    <message>
        <source>its weight &apos;%1&apos; is %2, the trained one %3</source>
        <translation>sein Gewicht „%1“ ist %2, das trainierte %3</translation>
    </message>
    <message>
        <source>it has no weight &apos;%1&apos;</source>
        <translation>es hat kein Gewicht „%1“</translation>
    </message>
    <message>
        <source>the project&apos;s model is no longer the one that is trained: %1.</source>
        <translation>das Modell des Projekts ist nicht mehr das, das trainiert wird: %1.</translation>
    </message>
    <message>
        <source>Change a copy while a training goes on.</source>
        <translation>Ändern Sie eine Kopie, solange ein Training läuft.</translation>
    </message>
    <message>
        <source>saving the weights</source>
        <translation>das Speichern der Gewichte</translation>
    </message>
    <message>
        <source>the program ended while it saved the weights.</source>
        <translation>das Programm endete, während es die Gewichte speicherte.</translation>
    </message>
    <message>
        <source>weights that are infinite or not a number are not saved.</source>
        <translation>Gewichte, die unendlich oder keine Zahl sind, werden nicht gespeichert.</translation>
    </message>
    <message>
        <source>the last weights are infinite or not a number, and are not kept.</source>
        <translation>die letzten Gewichte sind unendlich oder keine Zahl und werden nicht behalten.</translation>
    </message>
    <message>
        <source>The weights of step %1 are kept.</source>
        <translation>Behalten werden die von Schritt %1.</translation>
    </message>
    <message>
        <source>The weights from before the run are unchanged.</source>
        <translation>Was vorher da war, ist unverändert.</translation>
    </message>
    <message>
        <source>expected &apos;and&apos; or the end</source>
        <translation>erwartet wird &apos;and&apos; oder das Ende</translation>
    </message>
    <message>
        <source>A budget looks like &apos;max_tile_bytes &lt; 600000&apos;.</source>
        <translation>Ein Budget sieht aus wie &apos;max_tile_bytes &lt; 600000&apos;.</translation>
    </message>
    <message>
        <source>expected one of &lt; &lt;= &gt; &gt;= == !=</source>
        <translation>erwartet wird eines von &lt; &lt;= &gt; &gt;= == !=</translation>
    </message>
    <message>
        <source>division by zero</source>
        <translation>Division durch null</translation>
    </message>
    <message>
        <source>nested too deep</source>
        <translation>zu tief verschachtelt</translation>
    </message>
    <message>
        <source>expected &apos;)&apos;</source>
        <translation>erwartet wird &apos;)&apos;</translation>
    </message>
    <message>
        <source>expected a name or a number</source>
        <translation>erwartet wird ein Name oder eine Zahl</translation>
    </message>
    <message>
        <source>unexpected &apos;%1&apos;</source>
        <translation>unerwartet: „%1“</translation>
    </message>
    <message>
        <source>this number cannot be read</source>
        <translation>diese Zahl lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>unknown suffix of a number (k, M, G, KiB, MiB, GiB, % exist)</source>
        <translation>unbekannte Endung einer Zahl (es gibt k, M, G, KiB, MiB, GiB, %)</translation>
    </message>
    <message>
        <source>the report has no value of that name</source>
        <translation>der Bericht hat keinen Wert dieses Namens</translation>
    </message>
    <message>
        <source>It has: %1.</source>
        <translation>Er hat: %1.</translation>
    </message>
    <message>
        <source>a block has %1 columns, not %2</source>
        <translation>ein Block hat %1 Spalten, nicht %2</translation>
    </message>
    <message>
        <source>an exchange names an impossible tile</source>
        <translation>ein Austausch nennt ein unmögliches Tile</translation>
    </message>
    <message>
        <source>the time of an event is out of range</source>
        <translation>die Zeit eines Ereignisses liegt außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>an event names an impossible type</source>
        <translation>ein Ereignis nennt einen unmöglichen Typ</translation>
    </message>
    <message>
        <source>a run is empty or longer than a block may be</source>
        <translation>eine Folge ist leer oder länger, als ein Block sein darf</translation>
    </message>
    <message>
        <source>a pattern is placed outside any time</source>
        <translation>ein Muster liegt außerhalb jeder Zeit</translation>
    </message>
    <message>
        <source>Write the report again.</source>
        <translation>Schreiben Sie den Bericht neu.</translation>
    </message>
    <message>
        <source>a report cannot be exported to this format</source>
        <translation>ein Bericht lässt sich nicht dahin exportieren</translation>
    </message>
    <message>
        <source>Formats: %1.</source>
        <translation>Formate: %1.</translation>
    </message>
    <message>
        <source>this is a report, not a project</source>
        <translation>das ist ein Bericht, kein Projekt</translation>
    </message>
    <message>
        <source>Name a .tilewright file.</source>
        <translation>Nennen Sie eine .tilewright-Datei.</translation>
    </message>
    <message>
        <source>this file is not a Tilewright project</source>
        <translation>diese Datei ist kein Projekt von Tilewright</translation>
    </message>
    <message>
        <source>Name a .tilewright file or its JSON twin.</source>
        <translation>Nennen Sie eine .tilewright-Datei oder ihre JSON-Form.</translation>
    </message>
    <message>
        <source>the project has format %1.%2, this program reads formats up to %3.x</source>
        <translation>das Projekt hat Format %1.%2, dieses Programm liest Formate bis %3.x</translation>
    </message>
    <message>
        <source>Open it with a newer version.</source>
        <translation>Öffnen Sie es mit einer neueren Version.</translation>
    </message>
    <message>
        <source>its part &apos;%1&apos; is damaged</source>
        <translation>ihr Teil „%1“ ist beschädigt</translation>
    </message>
    <message>
        <source>Use a copy or the autosave.</source>
        <translation>Nehmen Sie eine Kopie oder die automatische Sicherung.</translation>
    </message>
    <message>
        <source>this JSON is not a Tilewright project</source>
        <translation>dieses JSON ist kein Projekt von Tilewright</translation>
    </message>
    <message>
        <source>A project begins with &quot;format&quot;: &quot;tilewright-project&quot;.</source>
        <translation>Ein Projekt beginnt mit &quot;format&quot;: &quot;tilewright-project&quot;.</translation>
    </message>
    <message>
        <source>the field &quot;version&quot; is missing or not a whole number</source>
        <translation>das Feld &quot;version&quot; fehlt oder ist keine ganze Zahl</translation>
    </message>
    <message>
        <source>Write &quot;version&quot;: 1.</source>
        <translation>Schreiben Sie &quot;version&quot;: 1.</translation>
    </message>
    <message>
        <source>the field &quot;version&quot; is not a version</source>
        <translation>das Feld &quot;version&quot; ist keine Version</translation>
    </message>
    <message>
        <source>the project has version %1, this program reads versions up to %2</source>
        <translation>das Projekt hat Version %1, dieses Programm liest Versionen bis %2</translation>
    </message>
    <message>
        <source>there is no such project</source>
        <translation>das Projekt gibt es nicht</translation>
    </message>
    <message>
        <source>Check the name, or make one with &apos;tilewright new&apos;.</source>
        <translation>Prüfen Sie den Namen, oder legen Sie eines mit „tilewright new“ an.</translation>
    </message>
    <message>
        <source>the stored tensor is damaged</source>
        <translation>der gespeicherte Tensor ist beschädigt</translation>
    </message>
    <message>
        <source>Use another checkpoint.</source>
        <translation>Nehmen Sie einen anderen Checkpoint.</translation>
    </message>
    <message>
        <source>the stored shape is damaged</source>
        <translation>die gespeicherte Form ist beschädigt</translation>
    </message>
    <message>
        <source>a tensor of %1 cannot be stored in a project</source>
        <translation>ein Tensor von %1 lässt sich nicht im Projekt speichern</translation>
    </message>
    <message>
        <source>Write the checkpoint to a file of its own.</source>
        <translation>Schreiben Sie den Checkpoint in eine eigene Datei.</translation>
    </message>
    <message>
        <source>the project holds no checkpoint of that name</source>
        <translation>das Projekt enthält keinen Checkpoint dieses Namens</translation>
    </message>
    <message>
        <source>It holds no checkpoints yet.</source>
        <translation>Es enthält noch keinen.</translation>
    </message>
    <message>
        <source>this is not the number of a tile or step</source>
        <translation>dies ist keine Nummer eines Tiles oder Schritts</translation>
    </message>
    <message>
        <source>the report has no %1 of that number</source>
        <translation>der Bericht hat kein %1 mit dieser Nummer</translation>
    </message>
    <message>
        <source>a report has no part of that name</source>
        <translation>ein Bericht hat keinen Teil dieses Namens</translation>
    </message>
    <message>
        <source>Parts: %1.</source>
        <translation>Teile: %1.</translation>
    </message>
    <message>
        <source>this is a project, not a report</source>
        <translation>das ist ein Projekt, kein Bericht</translation>
    </message>
    <message>
        <source>Name a .twreport file.</source>
        <translation>Nennen Sie eine .twreport-Datei.</translation>
    </message>
    <message>
        <source>this file is not a Tilewright report</source>
        <translation>diese Datei ist kein Bericht von Tilewright</translation>
    </message>
    <message>
        <source>the report has format %1.%2, written by version %3; this version reads formats up to %4.x</source>
        <translation>der Bericht hat Format %1.%2, geschrieben von Version %3; diese Version liest Formate bis %4.x</translation>
    </message>
    <message>
        <source>the report has format %1.%2; this version reads formats up to %3.x</source>
        <translation>der Bericht hat Format %1.%2; diese Version liest Formate bis %3.x</translation>
    </message>
    <message>
        <source>this is not the name of a table</source>
        <translation>dies ist kein Name einer Tabelle</translation>
    </message>
    <message>
        <source>there is no such vector</source>
        <translation>es gibt keinen solchen Vektor</translation>
    </message>
    <message>
        <source>the vector has an unknown encoding</source>
        <translation>der Vektor hat eine unbekannte Kodierung</translation>
    </message>
    <message>
        <source>a tile is out of range</source>
        <translation>ein Tile ist außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>there is no such layout</source>
        <translation>es gibt kein solches Layout</translation>
    </message>
    <message>
        <source>the layout does not have the number of items that it declares</source>
        <translation>das Layout hat nicht so viele Einträge, wie es sagt</translation>
    </message>
    <message>
        <source>the report holds no liveness curve of that scope</source>
        <translation>der Bericht enthält keine Liveness-Kurve dieses Bereichs</translation>
    </message>
    <message>
        <source>Scopes are all 0, ipu N and stage N.</source>
        <translation>Bereiche sind all 0, ipu N und stage N.</translation>
    </message>
    <message>
        <source>two tile vectors are equal</source>
        <translation>zwei Tile-Vektoren sind gleich</translation>
    </message>
    <message>
        <source>only one statement at a time is allowed</source>
        <translation>nur eine Anweisung auf einmal ist erlaubt</translation>
    </message>
    <message>
        <source>Use a single SELECT.</source>
        <translation>Nehmen Sie ein einzelnes SELECT.</translation>
    </message>
    <message>
        <source>only reading is allowed here</source>
        <translation>hier ist nur Lesen erlaubt</translation>
    </message>
    <message>
        <source>a finished report is never changed</source>
        <translation>ein fertiger Bericht wird nie geändert</translation>
    </message>
    <message>
        <source>tile %1 names a layout that is not there</source>
        <translation>Tile %1 nennt ein Layout, das es nicht gibt</translation>
    </message>
    <message>
        <source>the ids of a table have holes</source>
        <translation>die Nummern einer Tabelle haben Lücken</translation>
    </message>
    <message>
        <source>the file reached the limit of file sizes</source>
        <translation>die Datei hat die Grenze für Dateigrößen erreicht</translation>
    </message>
    <message>
        <source>Raise the limit (ulimit -f); what was written before is intact.</source>
        <translation>Heben Sie die Grenze an (ulimit -f); was vorher geschrieben wurde, ist unversehrt.</translation>
    </message>
    <message>
        <source>there is no room left to write the file</source>
        <translation>zum Schreiben der Datei ist kein Platz mehr</translation>
    </message>
    <message>
        <source>Free some space; what was written before is intact.</source>
        <translation>Schaffen Sie Platz; was vorher geschrieben war, ist unversehrt.</translation>
    </message>
    <message>
        <source>the file cannot be read or written: %1</source>
        <translation>die Datei kann nicht gelesen oder geschrieben werden: %1</translation>
    </message>
    <message>
        <source>Check the disk.</source>
        <translation>Prüfen Sie den Datenträger.</translation>
    </message>
    <message>
        <source>another process is using the file</source>
        <translation>ein anderer Prozess benutzt die Datei</translation>
    </message>
    <message>
        <source>Wait for it or choose another name.</source>
        <translation>Warten Sie auf ihn, oder wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>the file is damaged: %1</source>
        <translation>die Datei ist beschädigt: %1</translation>
    </message>
    <message>
        <source>Use a copy or make it again.</source>
        <translation>Nehmen Sie eine Kopie, oder erzeugen Sie sie neu.</translation>
    </message>
    <message>
        <source>the file is of another kind</source>
        <translation>die Datei ist von anderer Art</translation>
    </message>
    <message>
        <source>Choose a file that Tilewright wrote.</source>
        <translation>Wählen Sie eine Datei, die Tilewright geschrieben hat.</translation>
    </message>
    <message>
        <source>an interrupted change must be undone first, but the file may not be written</source>
        <translation>die Datei blieb mitten in einer Änderung stehen und darf nicht geschrieben werden, um sie rückgängig zu machen</translation>
    </message>
    <message>
        <source>Copy it, with its -journal or -wal file, to a folder that you may write to.</source>
        <translation>Kopieren Sie sie und was daneben liegt dorthin, wo Sie schreiben dürfen.</translation>
    </message>
    <message>
        <source>the file may not be written</source>
        <translation>die Datei darf nicht geschrieben werden</translation>
    </message>
    <message>
        <source>Check its permissions.</source>
        <translation>Prüfen Sie ihre Rechte.</translation>
    </message>
    <message>
        <source>the file cannot be opened: %1</source>
        <translation>die Datei kann nicht geöffnet werden: %1</translation>
    </message>
    <message>
        <source>Check that the folder exists and may be used.</source>
        <translation>Prüfen Sie, ob es den Ordner gibt und Sie ihn benutzen dürfen.</translation>
    </message>
    <message>
        <source>the query took too long and was stopped</source>
        <translation>die Abfrage dauerte zu lange und wurde beendet</translation>
    </message>
    <message>
        <source>Request less, or allow more time.</source>
        <translation>Fragen Sie nach weniger, oder erlauben Sie mehr Zeit.</translation>
    </message>
    <message>
        <source>only reading is allowed here: %1</source>
        <translation>hier ist nur Lesen erlaubt: %1</translation>
    </message>
    <message>
        <source>a row breaks the rules of the file: %1</source>
        <translation>eine Zeile verletzt die Regeln der Datei: %1</translation>
    </message>
    <message>
        <source>the host does not have enough memory to use the file</source>
        <translation>der Speicher des Hosts reicht für die Datei nicht</translation>
    </message>
    <message>
        <source>Close other programs, or use a machine with more memory.</source>
        <translation>Schließen Sie andere Programme, oder nehmen Sie einen Rechner mit mehr Speicher.</translation>
    </message>
    <message>
        <source>the file cannot be used: %1</source>
        <translation>die Datei ist nicht benutzbar: %1</translation>
    </message>
    <message>
        <source>there is no such file</source>
        <translation>es gibt keine solche Datei</translation>
    </message>
    <message>
        <source>this is a folder, not a file</source>
        <translation>das ist ein Ordner, keine Datei</translation>
    </message>
    <message>
        <source>the query is empty</source>
        <translation>die Abfrage ist leer</translation>
    </message>
    <message>
        <source>an expected row is missing</source>
        <translation>eine erwartete Zeile fehlt</translation>
    </message>
    <message>
        <source>there is no target &apos;%1&apos;.</source>
        <translation>kein Ziel heißt „%1“.</translation>
    </message>
    <message>
        <source>Targets: %1.</source>
        <translation>Ziele: %1.</translation>
    </message>
    <message>
        <source>a target has no option &apos;%1&apos;.</source>
        <translation>ein Ziel hat keine Option „%1“.</translation>
    </message>
    <message>
        <source>Options: tiles, ipus, model (as in &apos;gc200:tiles=8&apos;).</source>
        <translation>Optionen: tiles, ipus, model (wie in „gc200:tiles=8“).</translation>
    </message>
    <message>
        <source>option &apos;%1&apos; needs a whole number.</source>
        <translation>Option „%1“ braucht eine ganze Zahl.</translation>
    </message>
    <message>
        <source>For example &apos;%1=4&apos;.</source>
        <translation>Zum Beispiel „%1=4“.</translation>
    </message>
    <message>
        <source>tiles=%1 is outside 1 to %2 of %3.</source>
        <translation>tiles=%1 liegt außerhalb von 1 bis %2 bei %3.</translation>
    </message>
    <message>
        <source>Choose a number in that range.</source>
        <translation>Wählen Sie eine Zahl in diesem Bereich.</translation>
    </message>
    <message>
        <source>model is 0 or 1.</source>
        <translation>model ist 0 oder 1.</translation>
    </message>
    <message>
        <source>optimizer %1 cannot be built yet</source>
        <translation>Optimierer %1 lässt sich noch nicht bauen</translation>
    </message>
    <message>
        <source>use SGD, RMSprop, Adam, Adamax or Adadelta</source>
        <translation>nehmen Sie SGD, RMSprop, Adam, Adamax oder Adadelta</translation>
    </message>
    <message>
        <source>gradients are divided by the scale of the loss, for the clip, before replicas sum them</source>
        <translation>Gradienten werden für das clip durch den Faktor des Loss geteilt, bevor die Replikas sie summieren</translation>
    </message>
    <message>
        <source>put &quot;all_reduce&quot; before the clip</source>
        <translation>setzen Sie „all_reduce“ vor das clip</translation>
    </message>
    <message>
        <source>the weights of the %1 replicas would become different</source>
        <translation>die Gewichte der %1 Replikas liefen auseinander</translation>
    </message>
    <message>
        <source>put &quot;all_reduce&quot; before the first apply, or train one replica</source>
        <translation>stellen Sie &quot;all_reduce&quot; vor das erste apply, oder trainieren Sie eine Replika</translation>
    </message>
    <message>
        <source>only one file can be drawn.</source>
        <translation>nur eine Datei lässt sich zeichnen.</translation>
    </message>
    <message>
        <source>Give one report or project.</source>
        <translation>Geben Sie einen Bericht oder ein Projekt an.</translation>
    </message>
    <message>
        <source>a value is missing.</source>
        <translation>ein Wert fehlt.</translation>
    </message>
    <message>
        <source>See `tilewright render --help`.</source>
        <translation>Siehe `tilewright render --help`.</translation>
    </message>
    <message>
        <source>the scale is not a number from 0.25 to 8.</source>
        <translation>der Maßstab ist keine Zahl von 0.25 bis 8.</translation>
    </message>
    <message>
        <source>--scale 2</source>
        <translation>--scale 2</translation>
    </message>
    <message>
        <source>the size is not two numbers of pixels from 64 to 16384.</source>
        <translation>die Größe ist nicht zwei Zahlen von Pixeln von 64 bis 16384.</translation>
    </message>
    <message>
        <source>--size 1280x800</source>
        <translation>--size 1280x800</translation>
    </message>
    <message>
        <source>there is no such option.</source>
        <translation>es gibt keine solche Option.</translation>
    </message>
    <message>
        <source>a report or a project is missing.</source>
        <translation>ein Bericht oder ein Projekt fehlt.</translation>
    </message>
    <message>
        <source>the view is missing.</source>
        <translation>die Ansicht fehlt.</translation>
    </message>
    <message>
        <source>One of %1.</source>
        <translation>Eines von %1.</translation>
    </message>
    <message>
        <source>the report to compare with is missing.</source>
        <translation>der Bericht zum Vergleichen fehlt.</translation>
    </message>
    <message>
        <source>--against OTHER.twreport</source>
        <translation>--against ANDERER.twreport</translation>
    </message>
    <message>
        <source>the picture&apos;s name is missing.</source>
        <translation>der Name des Bildes fehlt.</translation>
    </message>
    <message>
        <source>pictures have other endings.</source>
        <translation>die Endung nennt kein Format, das sich zeichnen lässt.</translation>
    </message>
    <message>
        <source>there is no such theme.</source>
        <translation>es gibt kein solches Farbschema.</translation>
    </message>
    <message>
        <source>light, dark or contrast.</source>
        <translation>light, dark oder contrast.</translation>
    </message>
    <message>
        <source>there is no such view.</source>
        <translation>es gibt keine solche Ansicht.</translation>
    </message>
    <message>
        <source>this view shows nothing of a report or a project: it cannot be drawn.</source>
        <translation>diese Ansicht zeigt nichts von einem Bericht oder Projekt: Sie lässt sich nicht zeichnen.</translation>
    </message>
    <message>
        <source>this view shows one report only.</source>
        <translation>diese Ansicht zeigt nur einen Bericht.</translation>
    </message>
    <message>
        <source>Leave out --against, or draw one of %1.</source>
        <translation>Lassen Sie --against weg, oder zeichnen Sie eines von %1.</translation>
    </message>
    <message>
        <source>there is no such file.</source>
        <translation>es gibt keine solche Datei.</translation>
    </message>
    <message>
        <source>Check the path.</source>
        <translation>Prüfen Sie den Pfad.</translation>
    </message>
    <message>
        <source>this is a project: only reports are compared.</source>
        <translation>dies ist ein Projekt: Nur Berichte werden verglichen.</translation>
    </message>
    <message>
        <source>Give two reports, or leave out --against.</source>
        <translation>Geben Sie zwei Berichte an, oder lassen Sie --against weg.</translation>
    </message>
    <message>
        <source>One of flat, flame, bsp, pipeline, exchange, host.</source>
        <translation>Eines von flat, flame, bsp, pipeline, exchange, host.</translation>
    </message>
    <message>
        <source>Leave out --mode.</source>
        <translation>Lassen Sie --mode weg.</translation>
    </message>
    <message>
        <source>this view has no modes.</source>
        <translation>diese Ansicht hat keine Modi.</translation>
    </message>
    <message>
        <source>the view has no such mode.</source>
        <translation>die Ansicht hat keinen solchen Modus.</translation>
    </message>
    <message>
        <source>this report has nothing to show in that mode.</source>
        <translation>dieser Bericht hat in diesem Modus nichts zu zeigen.</translation>
    </message>
    <message>
        <source>this view cannot be drawn of %1: %2</source>
        <translation>diese Ansicht lässt sich von %1 nicht zeichnen: %2</translation>
    </message>
    <message>
        <source>Draw it of a project, or of a report that holds it.</source>
        <translation>Zeichnen Sie sie von einem Projekt oder von einem Bericht, der es enthält.</translation>
    </message>
    <message>
        <source>Draw it of a report: `tilewright compile FILE --report OUT.twreport` makes one.</source>
        <translation>Zeichnen Sie sie von einem Bericht: `tilewright compile DATEI --report BERICHT.twreport` schreibt einen.</translation>
    </message>
    <message>
        <source>A sample is %1 but the model&apos;s input &apos;%2&apos; takes %3.</source>
        <translation>Ein Beispiel ist %1, aber der Eingang „%2“ des Modells nimmt %3.</translation>
    </message>
    <message>
        <source>Change the model&apos;s input shape, or choose other data.</source>
        <translation>Ändern Sie die Eingangsform des Modells, oder wählen Sie andere Daten.</translation>
    </message>
    <message>
        <source>there is nothing to recover.</source>
        <translation>es gibt nichts wiederherzustellen.</translation>
    </message>
    <message>
        <source>the project was changed by another program since it was opened here.</source>
        <translation>das Projekt wurde von einem anderen Programm geändert, seit es hier geöffnet wurde.</translation>
    </message>
    <message>
        <source>Save it under another name, or overwrite what the other program saved.</source>
        <translation>Speichern Sie es unter einem anderen Namen, oder überschreiben Sie, was das andere Programm gespeichert hat.</translation>
    </message>
    <message>
        <source>the report cannot be copied to %1: %2.</source>
        <translation>der Bericht lässt sich nicht nach %1 kopieren: %2.</translation>
    </message>
    <message>
        <source>The report stays where it is; the run&apos;s entry names that place.</source>
        <translation>Er bleibt, wo er ist; der Eintrag des Laufs zeigt dorthin.</translation>
    </message>
    <message>
        <source>not all of its checkpoints were copied, because copying was cancelled.</source>
        <translation>Nicht alle seine Checkpoints wurden kopiert: Das Kopieren wurde abgebrochen.</translation>
    </message>
    <message>
        <source>They are in the original project: %1.</source>
        <translation>Sie sind in dem Projekt, aus dem es gespeichert wurde: %1.</translation>
    </message>
    <message>
        <source>the report cannot be deleted.</source>
        <translation>der Bericht lässt sich nicht löschen.</translation>
    </message>
    <message>
        <source>Check who may write there.</source>
        <translation>Prüfen Sie, wer dort schreiben darf.</translation>
    </message>
    <message>
        <source>the layer is not there</source>
        <translation>die Schicht ist nicht da</translation>
    </message>
    <message>
        <source>the report can no longer be read</source>
        <translation>der Bericht lässt sich nicht mehr lesen</translation>
    </message>
    <message>
        <source>Open it again.</source>
        <translation>Öffnen Sie ihn noch einmal.</translation>
    </message>
    <message>
        <source>this report is not a file, so it cannot be queried.</source>
        <translation>dieser Bericht ist keine Datei, also lässt sich nichts abfragen.</translation>
    </message>
    <message>
        <source>the model&apos;s output is not a list of class scores.</source>
        <translation>der Ausgang des Modells ist keine Liste von Bewertungen der Klassen.</translation>
    </message>
    <message>
        <source>Samples with predictions are shown for classifiers only.</source>
        <translation>Beispiele mit Vorhersagen gibt es nur bei Klassifikatoren.</translation>
    </message>
    <message>
        <source>the checkpoint belongs to a different model than the project has now.</source>
        <translation>der Checkpoint ist von einem anderen Modell als dem, das das Projekt jetzt hat.</translation>
    </message>
    <message>
        <source>the command line program cannot be started.</source>
        <translation>das Programm der Kommandozeile lässt sich nicht starten.</translation>
    </message>
    <message>
        <source>Install tilewright beside tilewright-gui; the checkpoint &apos;last&apos; is in the project.</source>
        <translation>Installieren Sie tilewright neben tilewright-gui; der Checkpoint „last“ ist im Projekt.</translation>
    </message>
    <message>
        <source>Save the project elsewhere to keep the weights.</source>
        <translation>Speichern Sie das Projekt anderswo, um die Gewichte zu behalten.</translation>
    </message>
    <message>
        <source>the project holds no trained weights.</source>
        <translation>das Projekt hält keine trainierten Gewichte.</translation>
    </message>
    <message>
        <source>Train it first.</source>
        <translation>Trainieren Sie es zuerst.</translation>
    </message>
    <message>
        <source>To continue from the weights in the project, use Continue training instead of Run.</source>
        <translation>Um von Gewichten aus weiterzumachen, die ein Projekt hält, wählen Sie „Training fortsetzen“ statt „Starten“.</translation>
    </message>
    <message>
        <source>the project of this run was not kept.</source>
        <translation>dieser Lauf hat sein Projekt nicht aufbewahrt.</translation>
    </message>
    <message>
        <source>Runs started in the workbench keep their project.</source>
        <translation>Läufe, die von der Werkbank aus beginnen, bewahren es auf.</translation>
    </message>
    <message>
        <source>reading the report was cancelled.</source>
        <translation>das Lesen des Berichts wurde abgebrochen.</translation>
    </message>
    <message>
        <source>Read it again.</source>
        <translation>Lesen Sie ihn noch einmal.</translation>
    </message>
    <message>
        <source>the proportion must be from 0.000001 up to 1.</source>
        <translation>der Anteil muss von 0,000001 bis 1 gehen.</translation>
    </message>
    <message>
        <source>its two layers give different states</source>
        <translation>ihre zwei Schichten liefern verschiedene Zustände</translation>
    </message>
    <message>
        <source>change backward_layer to the class of the other, or leave it out</source>
        <translation>geben Sie backward_layer dieselbe Klasse, oder lassen Sie es weg</translation>
    </message>
    <message>
        <source>data.inputs names every input: no input is left for the samples (data.x).</source>
        <translation>data.inputs nennt jeden Eingang: für die Beispiele (data.x) bleibt keiner.</translation>
    </message>
    <message>
        <source>Leave data.x empty, or leave one input out of data.inputs.</source>
        <translation>Lassen Sie data.x leer, oder lassen Sie in data.inputs einen Eingang weg.</translation>
    </message>
    <message>
        <source>the window&apos;s request</source>
        <translation>die Anforderung des Fensters</translation>
    </message>
    <message>
        <source>the content of the files</source>
        <translation>der Inhalt der Dateien</translation>
    </message>
    <message>
        <source>%1 IPU(s) per replica and %2 replicas</source>
        <translation>%1 IPU(s) je Replika und %2 Replikas</translation>
    </message>
    <message>
        <source>%1 IPU(s) per replica</source>
        <translation>%1 IPU(s) je Replika</translation>
    </message>
    <message>
        <source>the model needs %1, but ipu_config.auto_select_ipus selects %2.</source>
        <translation>das Modell braucht %1, aber ipu_config.auto_select_ipus wählt %2.</translation>
    </message>
    <message>
        <source>Set ipu_config.auto_select_ipus to %1 or more.</source>
        <translation>Setzen Sie ipu_config.auto_select_ipus auf %1 oder mehr.</translation>
    </message>
    <message>
        <source>the model needs %1, but %2 has %3.</source>
        <translation>das Modell braucht %1, aber %2 hat %3.</translation>
    </message>
    <message>
        <source>Choose a target with at least %1 IPUs, such as &apos;%2:ipus=%1&apos;.</source>
        <translation>Wählen Sie ein Ziel mit mindestens %1 IPUs, zum Beispiel „%2:ipus=%1“.</translation>
    </message>
    <message>
        <source>the product of its arguments is %1; the largest product is %2.</source>
        <translation>das Produkt der Argumente ist %1; erlaubt sind höchstens %2.</translation>
    </message>
    <message>
        <source>Give smaller numbers.</source>
        <translation>Geben Sie kleinere Zahlen an.</translation>
    </message>
    <message>
        <source>the tensor of shape %1 takes %2; all tiles of %3 together have %4.</source>
        <translation>der Tensor der Form %1 belegt %2; alle Tiles von %3 haben zusammen %4.</translation>
    </message>
    <message>
        <source>the tensor of shape %1 takes %2; a tensor on the host may take %3.</source>
        <translation>der Tensor der Form %1 belegt %2; auf dem Host darf ein Tensor %3 belegen.</translation>
    </message>
    <message>
        <source>Make the tensor smaller: its layer, its input or the batch.</source>
        <translation>Verkleinern Sie den Tensor: seine Schicht, seinen Eingang oder den Batch.</translation>
    </message>
    <message>
        <source>a dictionary</source>
        <translation>ein Wörterbuch</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>eine Liste</translation>
    </message>
    <message>
        <source>binary data</source>
        <translation>Binärdaten</translation>
    </message>
    <message>
        <source>Give a share of the tile&apos;s memory from 0.000001 up to 1, for example 0.6.</source>
        <translation>Geben Sie einen Anteil am Speicher des Tiles von 0.000001 bis 1 an, zum Beispiel 0.6.</translation>
    </message>
    <message>
        <source>%1 is not a number</source>
        <translation>%1 ist keine Zahl</translation>
    </message>
    <message>
        <source>the program is compiled for %1, the architecture of system.target, and not for %2</source>
        <translation>das Programm wird für %1 kompiliert, die Architektur von system.target, und nicht für %2</translation>
    </message>
    <message>
        <source>Set it to %1, or choose another system.target.</source>
        <translation>Setzen Sie den Wert auf %1, oder wählen Sie ein anderes system.target.</translation>
    </message>
    <message>
        <source>this is %1. Only regular files are written.</source>
        <translation>dies ist %1. Geschrieben wird nur in reguläre Dateien.</translation>
    </message>
    <message>
        <source>Name a regular file, or one that does not exist yet.</source>
        <translation>Geben Sie eine reguläre Datei an oder eine, die es noch nicht gibt.</translation>
    </message>
    <message>
        <source>a folder</source>
        <translation>ein Ordner</translation>
    </message>
    <message>
        <source>a symbolic link</source>
        <translation>eine symbolische Verknüpfung</translation>
    </message>
    <message>
        <source>a pipe</source>
        <translation>eine Pipe</translation>
    </message>
    <message>
        <source>a socket</source>
        <translation>ein Socket</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>ein Gerät</translation>
    </message>
    <message>
        <source>this file is being written by process %1.</source>
        <translation>diese Datei wird gerade von Prozess %1 geschrieben.</translation>
    </message>
    <message>
        <source>this file is being written by another process.</source>
        <translation>diese Datei wird gerade von einem anderen Prozess geschrieben.</translation>
    </message>
    <message>
        <source>Wait for its end, or choose another name.</source>
        <translation>Warten Sie dessen Ende ab, oder wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>cannot use the folder</source>
        <translation>der Ordner ist nicht benutzbar</translation>
    </message>
    <message>
        <source>the folder is not used: it belongs to another user.</source>
        <translation>der Ordner wird nicht benutzt: er gehört einem anderen Benutzer.</translation>
    </message>
    <message>
        <source>Choose a folder of your own.</source>
        <translation>Wählen Sie einen eigenen Ordner.</translation>
    </message>
    <message>
        <source>the folder is not used: other users may write into it.</source>
        <translation>der Ordner wird nicht benutzt: andere Benutzer dürfen hineinschreiben.</translation>
    </message>
    <message>
        <source>`chmod go-w %1` keeps them out.</source>
        <translation>`chmod go-w %1` verhindert das.</translation>
    </message>
    <message>
        <source>the file is not used: it belongs to another user, or other users may write to it.</source>
        <translation>die Datei wird nicht benutzt: sie gehört einem anderen Benutzer, oder andere Benutzer dürfen hineinschreiben.</translation>
    </message>
    <message>
        <source>Remove it.</source>
        <translation>Entfernen Sie sie.</translation>
    </message>
    <message>
        <source>the machine has no more</source>
        <translation>mehr hat der Rechner nicht</translation>
    </message>
    <message>
        <source>an internal check failed: %1 (%2, %3)</source>
        <translation>eine interne Prüfung schlug fehl: %1 (%2, %3)</translation>
    </message>
    <message>
        <source>Leave it out: all data are in the memory of the tiles. More IPUs (system.target, stages) have more memory.</source>
        <translation>Lassen Sie die Einstellung weg: alle Daten liegen im Speicher der Tiles. Mehr IPUs (system.target, Stufen) haben mehr Speicher.</translation>
    </message>
    <message>
        <source>Use ipu_config.allow_recompute, which recomputes in pipelines and elsewhere.</source>
        <translation>Verwenden Sie ipu_config.allow_recompute: das rechnet in Pipelines und anderswo neu.</translation>
    </message>
    <message>
        <source>Hold samples out with training.validation_split; `tilewright evaluate` reads data.test_x and data.test_y.</source>
        <translation>Halten Sie Beispiele mit training.validation_split zurück; `tilewright evaluate` liest data.test_x und data.test_y.</translation>
    </message>
    <message>
        <source>Leave it out: an epoch reads all samples. data.limit bounds them, and `train --steps N` ends a run.</source>
        <translation>Lassen Sie die Einstellung weg: eine Epoche liest alle Beispiele. data.limit begrenzt sie, und `train --steps N` beendet einen Lauf.</translation>
    </message>
    <message>
        <source>Leave it out: accumulators have the type of their gradients.</source>
        <translation>Lassen Sie die Einstellung weg: Akkumulatoren haben den Typ ihrer Gradienten.</translation>
    </message>
    <message>
        <source>Leave it out: a validation reads all held-out samples. data.limit bounds them.</source>
        <translation>Lassen Sie die Einstellung weg: eine Validierung liest alle zurückgehaltenen Beispiele. data.limit begrenzt sie.</translation>
    </message>
    <message>
        <source>Leave it out: a validation takes the largest batch that divides its samples.</source>
        <translation>Lassen Sie die Einstellung weg: eine Validierung nimmt den größten Batch, der ihre Beispiele teilt.</translation>
    </message>
    <message>
        <source>Leave it out: each epoch is validated.</source>
        <translation>Lassen Sie die Einstellung weg: jede Epoche wird validiert.</translation>
    </message>
    <message>
        <source>Continue a run with `train --resume FILE`.</source>
        <translation>Setzen Sie einen Lauf mit `train --resume FILE` fort.</translation>
    </message>
    <message>
        <source>Use `train --every N` to print steps, and --checkpoint FILE to keep weights.</source>
        <translation>Verwenden Sie `train --every N`, um Schritte auszugeben, und --checkpoint FILE, um Gewichte zu behalten.</translation>
    </message>
    <message>
        <source>Leave it out: every run is compiled.</source>
        <translation>Lassen Sie die Einstellung weg: jeder Lauf wird kompiliert.</translation>
    </message>
    <message>
        <source>Use training.metrics, which count every sample once.</source>
        <translation>Verwenden Sie training.metrics: diese Metriken zählen jedes Beispiel einmal.</translation>
    </message>
    <message>
        <source>Use data.sample_weight.</source>
        <translation>Verwenden Sie data.sample_weight.</translation>
    </message>
    <message>
        <source>Use training.gradient_accumulation_steps.</source>
        <translation>Verwenden Sie training.gradient_accumulation_steps.</translation>
    </message>
    <message>
        <source>Use training.gradient_accumulation_reduction.</source>
        <translation>Verwenden Sie training.gradient_accumulation_reduction.</translation>
    </message>
    <message>
        <source>Leave it out: gradients that a layer captures do not exist here.</source>
        <translation>Lassen Sie die Einstellung weg: Gradienten, die eine Schicht abfängt, gibt es hier nicht.</translation>
    </message>
    <message>
        <source>Lower training.batch_size and raise training.gradient_accumulation_steps.</source>
        <translation>Verkleinern Sie training.batch_size, und erhöhen Sie training.gradient_accumulation_steps.</translation>
    </message>
    <message>
        <source>Set ipu_config.matmuls.poplar_options and ipu_config.convolutions.poplar_options, which are for all stages.</source>
        <translation>Setzen Sie ipu_config.matmuls.poplar_options und ipu_config.convolutions.poplar_options; sie gelten für alle Stufen.</translation>
    </message>
    <message>
        <source>Set ipu_config.matmuls.poplar_options, which are for the whole program.</source>
        <translation>Setzen Sie ipu_config.matmuls.poplar_options; sie gelten für das ganze Programm.</translation>
    </message>
    <message>
        <source>Use ipu_config.optimizations.prefetch_data_streams: three elements are prefetched, or none.</source>
        <translation>Verwenden Sie ipu_config.optimizations.prefetch_data_streams: es werden drei Elemente vorab geladen oder keines.</translation>
    </message>
    <message>
        <source>Leave it out: it changes no result.</source>
        <translation>Lassen Sie die Einstellung weg: sie ändert kein Ergebnis.</translation>
    </message>
    <message>
        <source>Leave it out: every loss and metric is kept.</source>
        <translation>Lassen Sie die Einstellung weg: jeder Loss und jede Metrik bleibt erhalten.</translation>
    </message>
    <message>
        <source>Leave it out: losses and metrics of every micro-batch are sent, and the epoch&apos;s mean is the same.</source>
        <translation>Lassen Sie die Einstellung weg: Loss und Metriken jedes Micro-Batches werden gesendet, und das Mittel der Epoche ist dasselbe.</translation>
    </message>
    <message>
        <source>Leave it out: losses and metrics are float32.</source>
        <translation>Lassen Sie die Einstellung weg: Loss und Metriken sind float32.</translation>
    </message>
    <message>
        <source>Use `train --every N`, which prints steps while the device runs.</source>
        <translation>Verwenden Sie `train --every N`: das gibt Schritte aus, während das Gerät läuft.</translation>
    </message>
    <message>
        <source>Use training.steps_per_execution.</source>
        <translation>Verwenden Sie training.steps_per_execution.</translation>
    </message>
    <message>
        <source>Leave it out: losses and metrics are means over the replicas.</source>
        <translation>Lassen Sie die Einstellung weg: Loss und Metriken sind Mittel über die Replikas.</translation>
    </message>
    <message>
        <source>Use training.optimizer.loss_scale_factor, which stays as it is.</source>
        <translation>Verwenden Sie training.optimizer.loss_scale_factor; dieser Faktor bleibt unverändert.</translation>
    </message>
    <message>
        <source>this setting has another name here.</source>
        <translation>diese Einstellung heißt hier anders.</translation>
    </message>
    <message>
        <source>this setting of Keras on IPUs is not supported yet.</source>
        <translation>diese Einstellung von Keras auf IPUs wird noch nicht unterstützt.</translation>
    </message>
    <message>
        <source>data of format %1 have one array of labels: there is none for output &apos;%2&apos;</source>
        <translation>Daten im Format %1 haben ein Array von Labels: für Ausgang „%2“ gibt es keines</translation>
    </message>
    <message>
        <source>the test samples have no array for data.x</source>
        <translation>die Testbeispiele haben kein Array für data.x</translation>
    </message>
    <message>
        <source>the test samples have no array for input &apos;%1&apos;</source>
        <translation>die Testbeispiele haben kein Array für Eingang „%1“</translation>
    </message>
    <message>
        <source>Name the arrays of the test samples as those of the training samples.</source>
        <translation>Benennen Sie die Arrays der Testbeispiele wie die der Trainingsbeispiele.</translation>
    </message>
    <message>
        <source>IDX files of</source>
        <translation>IDX-Dateien von</translation>
    </message>
    <message>
        <source>a weight is missing</source>
        <translation>ein Gewicht fehlt</translation>
    </message>
    <message>
        <source>the condition that ends the loop is missing</source>
        <translation>die Bedingung fehlt, die die Schleife beendet</translation>
    </message>
    <message>
        <source>a stage is on no IPU</source>
        <translation>eine Stufe liegt auf keiner IPU</translation>
    </message>
    <message>
        <source>a count is not positive</source>
        <translation>eine Anzahl ist nicht positiv</translation>
    </message>
    <message>
        <source>variables are missing</source>
        <translation>Variablen fehlen</translation>
    </message>
    <message>
        <source>a variable has no storage</source>
        <translation>eine Variable hat keinen Speicherplatz</translation>
    </message>
    <message>
        <source>a variable has storage of another shape or type</source>
        <translation>der Speicherplatz einer Variablen hat eine andere Form oder einen anderen Typ</translation>
    </message>
    <message>
        <source>entries belong to no program</source>
        <translation>Einstiege gehören zu keinem Programm</translation>
    </message>
    <message>
        <source>entries are missing</source>
        <translation>Einstiege fehlen</translation>
    </message>
    <message>
        <source>the numbers of replicas differ</source>
        <translation>die Anzahlen der Replikas unterscheiden sich</translation>
    </message>
    <message>
        <source>a constant has no storage</source>
        <translation>eine Konstante hat keinen Speicherplatz</translation>
    </message>
    <message>
        <source>a constant is incomplete</source>
        <translation>eine Konstante ist unvollständig</translation>
    </message>
    <message>
        <source>sums belong to no operation</source>
        <translation>Summen gehören zu keiner Operation</translation>
    </message>
    <message>
        <source>tiles are missing</source>
        <translation>Tiles fehlen</translation>
    </message>
    <message>
        <source>a layout is missing</source>
        <translation>ein Layout fehlt</translation>
    </message>
    <message>
        <source>an address lies outside its tile</source>
        <translation>eine Adresse liegt außerhalb ihres Tiles</translation>
    </message>
    <message>
        <source>an address belongs to no variable</source>
        <translation>eine Adresse gehört zu keiner Variablen</translation>
    </message>
    <message>
        <source>a block has no address</source>
        <translation>ein Block hat keine Adresse</translation>
    </message>
    <message>
        <source>Use more samples, or fewer gradient accumulation steps.</source>
        <translation>Verwenden Sie mehr Beispiele oder weniger Akkumulationsschritte.</translation>
    </message>
    <message>
        <source>Use a batch size that divides the data, such as %1, or set data.limit to %2.</source>
        <translation>Verwenden Sie eine Batch-Größe, die die Daten teilt, zum Beispiel %1, oder setzen Sie data.limit auf %2.</translation>
    </message>
    <message>
        <source>Use a batch size that divides the data, such as %1.</source>
        <translation>Verwenden Sie eine Batch-Größe, die die Daten teilt, zum Beispiel %1.</translation>
    </message>
    <message>
        <source>Set data.limit to %1.</source>
        <translation>Setzen Sie data.limit auf %1.</translation>
    </message>
    <message>
        <source>%1 samples are not a multiple of the batch size %2: the last batch would have %3 samples, and shapes on the device are fixed.</source>
        <translation>%1 Beispiele sind kein Vielfaches der Batch-Größe %2: der letzte Batch hätte %3 Beispiele, und Formen auf dem Gerät stehen fest.</translation>
    </message>
    <message>
        <source>an epoch has %1 steps, fewer than the %2 of an execution: %1 are used.</source>
        <translation>eine Epoche hat %1 Schritte, weniger als die %2 einer Ausführung: verwendet werden %1.</translation>
    </message>
    <message>
        <source>Set training.steps_per_execution to %1.</source>
        <translation>Setzen Sie training.steps_per_execution auf %1.</translation>
    </message>
    <message>
        <source>an argument of a call is neither a tensor nor a list of tensors</source>
        <translation>ein Argument eines Aufrufs ist weder ein Tensor noch eine Liste von Tensoren</translation>
    </message>
    <message>
        <source>a call in inbound_nodes has no list args</source>
        <translation>ein Aufruf in inbound_nodes hat keine Liste args</translation>
    </message>
    <message>
        <source>inbound_nodes is not a list</source>
        <translation>inbound_nodes ist keine Liste</translation>
    </message>
    <message>
        <source>the input has no axis of open size: %1</source>
        <translation>der Eingang hat keine Achse offener Größe: %1</translation>
    </message>
    <message>
        <source>leave --size out for it</source>
        <translation>lassen Sie --size für ihn weg</translation>
    </message>
    <message>
        <source>%1 sizes are given for the %2 open axes of %3</source>
        <translation>%1 Größen sind für die %2 offenen Achsen von %3 angegeben</translation>
    </message>
    <message>
        <source>give one size for all of them, or one for each</source>
        <translation>geben Sie eine Größe für alle oder je Achse eine an</translation>
    </message>
    <message>
        <source>no input layer is named &apos;%1&apos;</source>
        <translation>keine Eingangsschicht heißt „%1“</translation>
    </message>
    <message>
        <source>every input has a size</source>
        <translation>jeder Eingang hat eine Größe</translation>
    </message>
    <message>
        <source>inputs with open axes are %1</source>
        <translation>Eingänge mit offenen Achsen sind %1</translation>
    </message>
    <message>
        <source>argument &apos;%1&apos; is not the name of an activation</source>
        <translation>Argument „%1“ ist nicht der Name einer Aktivierung</translation>
    </message>
    <message>
        <source>give a name such as relu, or null</source>
        <translation>geben Sie einen Namen wie relu oder null an</translation>
    </message>
    <message>
        <source>argument &apos;%1&apos; is a %2, which is not supported as an activation</source>
        <translation>Argument „%1“ ist %2; das wird als Aktivierung nicht unterstützt</translation>
    </message>
    <message>
        <source>use a layer of its own for it</source>
        <translation>verwenden Sie dafür eine eigene Schicht</translation>
    </message>
    <message>
        <source>a layer</source>
        <translation>eine Schicht</translation>
    </message>
    <message>
        <source>%1 of an input of rank 1, %2</source>
        <translation>%1 eines Eingangs vom Rang 1, %2</translation>
    </message>
    <message>
        <source>give it a batch and at least one more axis</source>
        <translation>geben Sie ihm einen Batch und mindestens eine weitere Achse</translation>
    </message>
    <message>
        <source>axis %1 is listed twice</source>
        <translation>Achse %1 steht zweimal in der Liste</translation>
    </message>
    <message>
        <source>list each axis once</source>
        <translation>nennen Sie jede Achse einmal</translation>
    </message>
    <message>
        <source>axis is an empty list</source>
        <translation>axis ist eine leere Liste</translation>
    </message>
    <message>
        <source>give an axis, or several</source>
        <translation>geben Sie eine Achse oder mehrere an</translation>
    </message>
    <message>
        <source>the name of %1 has %2 bytes; names may have %3.</source>
        <translation>%1: Der Name hat %2 Bytes; erlaubt sind %3.</translation>
    </message>
    <message>
        <source>a field</source>
        <translation>ein Feld</translation>
    </message>
    <message>
        <source>a layer, a model or a metric</source>
        <translation>eine Schicht, ein Modell oder eine Metrik</translation>
    </message>
    <message>
        <source>a class</source>
        <translation>eine Klasse</translation>
    </message>
    <message>
        <source>layer &apos;%1&apos; of the model inside merges inputs of different ranks, which cannot be applied to each step</source>
        <translation>Schicht „%1“ des inneren Modells fügt Eingänge verschiedenen Rangs zusammen; das ist nicht auf jeden Schritt anwendbar</translation>
    </message>
    <message>
        <source>give its inputs equal ranks (Reshape, RepeatVector)</source>
        <translation>geben Sie ihren Eingängen denselben Rang (Reshape, RepeatVector)</translation>
    </message>
    <message>
        <source>metric &apos;%1&apos; is listed twice</source>
        <translation>Metrik „%1“ steht zweimal in der Liste</translation>
    </message>
    <message>
        <source>list each metric once</source>
        <translation>nennen Sie jede Metrik einmal</translation>
    </message>
    <message>
        <source>an output has no name</source>
        <translation>ein Ausgang hat keinen Namen</translation>
    </message>
    <message>
        <source>give each loss the name of an output</source>
        <translation>geben Sie jedem Loss den Namen eines Ausgangs</translation>
    </message>
    <message>
        <source>there is no loss</source>
        <translation>es gibt keinen Loss</translation>
    </message>
    <message>
        <source>give each list the name of an output</source>
        <translation>geben Sie jeder Liste den Namen eines Ausgangs</translation>
    </message>
    <message>
        <source>the weight of output &apos;%1&apos; is not a number</source>
        <translation>das Gewicht von Ausgang „%1“ ist keine Zahl</translation>
    </message>
    <message>
        <source>class %1 has no weight</source>
        <translation>Klasse %1 hat kein Gewicht</translation>
    </message>
    <message>
        <source>give a weight for each class from 0 to one less than their number</source>
        <translation>geben Sie jeder Klasse von 0 bis zu ihrer Anzahl minus 1 ein Gewicht</translation>
    </message>
    <message>
        <source>the weight of class %1 is not a number</source>
        <translation>das Gewicht von Klasse %1 ist keine Zahl</translation>
    </message>
    <message>
        <source>write it like {&quot;class_name&quot;: &quot;%1&quot;, &quot;config&quot;: %2}</source>
        <translation>schreiben Sie zum Beispiel {&quot;class_name&quot;: &quot;%1&quot;, &quot;config&quot;: %2}</translation>
    </message>
    <message>
        <source>no output is named &apos;%1&apos;</source>
        <translation>kein Ausgang heißt „%1“</translation>
    </message>
    <message>
        <source>the outputs are %1</source>
        <translation>die Ausgänge sind %1</translation>
    </message>
    <message>
        <source>output &apos;%1&apos; has no loss</source>
        <translation>Ausgang „%1“ hat keinen Loss</translation>
    </message>
    <message>
        <source>give each output a loss by its name</source>
        <translation>geben Sie jedem Ausgang einen Loss unter seinem Namen</translation>
    </message>
    <message>
        <source>the project</source>
        <translation>das Projekt</translation>
    </message>
    <message>
        <source>no device has %1 IPUs: their number is a power of two.</source>
        <translation>kein Gerät hat %1 IPUs: ihre Anzahl ist eine Zweierpotenz.</translation>
    </message>
    <message>
        <source>Set ipus to %1 or %2.</source>
        <translation>Setzen Sie ipus auf %1 oder %2.</translation>
    </message>
    <message>
        <source>The project is kept in %1: send this file with the report.</source>
        <translation>Das Projekt liegt in %1: schicken Sie diese Datei mit der Meldung.</translation>
    </message>
    <message>
        <source>the %1 job</source>
        <translation>der Auftrag %1</translation>
    </message>
    <message>
        <source>the data set</source>
        <translation>der Datensatz</translation>
    </message>
    <message>
        <source>the data end after %1 of the %2 requested weight updates.</source>
        <translation>die Daten enden nach %1 der %2 verlangten Gewichtsänderungen.</translation>
    </message>
    <message>
        <source>Request fewer updates, or raise data.limit.</source>
        <translation>Verlangen Sie weniger Gewichtsänderungen, oder erhöhen Sie data.limit.</translation>
    </message>
    <message>
        <source>Request fewer updates, or lower training.batch_size.</source>
        <translation>Verlangen Sie weniger Gewichtsänderungen, oder verkleinern Sie training.batch_size.</translation>
    </message>
    <message>
        <source>the data hold %1 samples, but a weight update takes %2: there is no update to compare.</source>
        <translation>die Daten enthalten %1 Beispiele, aber eine Gewichtsänderung braucht %2: es gibt keine zum Vergleichen.</translation>
    </message>
    <message>
        <source>Use more data, or lower training.batch_size or training.gradient_accumulation_steps.</source>
        <translation>Verwenden Sie mehr Daten, oder verkleinern Sie training.batch_size oder training.gradient_accumulation_steps.</translation>
    </message>
    <message>
        <source>running the model in both modes</source>
        <translation>das Ausführen des Modells in beiden Modi</translation>
    </message>
    <message>
        <source>Make the model or the batch smaller, or use a machine with more memory.</source>
        <translation>Verkleinern Sie Modell oder Batch, oder verwenden Sie einen Rechner mit mehr Speicher.</translation>
    </message>
    <message>
        <source>measuring the effect of rounding</source>
        <translation>das Messen der Wirkung des Rundens</translation>
    </message>
    <message>
        <source>the data have no array for input &apos;%1&apos;.</source>
        <translation>die Daten haben kein Array für Eingang „%1“.</translation>
    </message>
    <message>
        <source>Name its array in data.inputs, such as {&quot;%1&quot;: &quot;array&quot;}, or in data.x.</source>
        <translation>Nennen Sie sein Array in data.inputs, zum Beispiel {&quot;%1&quot;: &quot;array&quot;}, oder in data.x.</translation>
    </message>
    <message>
        <source>the data have no array for input &apos;%1&apos;: the samples feed input &apos;%2&apos;.</source>
        <translation>die Daten haben kein Array für Eingang „%1“: die Beispiele speisen Eingang „%2“.</translation>
    </message>
    <message>
        <source>the data have no labels for output &apos;%1&apos;.</source>
        <translation>die Daten haben keine Labels für Ausgang „%1“.</translation>
    </message>
    <message>
        <source>Name their array in data.labels, such as {&quot;%1&quot;: &quot;array&quot;}, or in data.y.</source>
        <translation>Nennen Sie ihr Array in data.labels, zum Beispiel {&quot;%1&quot;: &quot;array&quot;}, oder in data.y.</translation>
    </message>
    <message>
        <source>no batch size near %1 divides the %2 samples</source>
        <translation>keine Batch-Größe nahe %1 teilt die %2 Beispiele</translation>
    </message>
    <message>
        <source>Set data.limit to a number with more divisors.</source>
        <translation>Setzen Sie data.limit auf eine Zahl mit mehr Teilern.</translation>
    </message>
    <message>
        <source>the %1 steps of an epoch hold no whole number of updates of %2 steps</source>
        <translation>die %1 Schritte einer Epoche enthalten keine ganze Zahl von Gewichtsänderungen zu je %2 Schritten</translation>
    </message>
    <message>
        <source>Use a batch size, replicas or accumulation whose product divides the samples.</source>
        <translation>Wählen Sie Batch-Größe, Replikas und Akkumulation so, dass ihr Produkt die Beispiele teilt.</translation>
    </message>
    <message>
        <source>the number of samples decides whether this trains, and the data could not be counted</source>
        <translation>von der Anzahl der Beispiele hängt ab, ob sich das trainieren lässt, und die Daten ließen sich nicht zählen</translation>
    </message>
    <message>
        <source>Make the data readable first.</source>
        <translation>Machen Sie zuerst die Daten lesbar.</translation>
    </message>
    <message>
        <source>the project already has this value</source>
        <translation>das Projekt hat diesen Wert schon</translation>
    </message>
    <message>
        <source>Give another value.</source>
        <translation>Geben Sie einen anderen Wert an.</translation>
    </message>
    <message>
        <source>the cpu target has no tiles to compare with.</source>
        <translation>das Ziel cpu hat keine Tiles zum Vergleichen.</translation>
    </message>
    <message>
        <source>the checkpoint &apos;%1&apos; was written, but reading it back gives %2.</source>
        <translation>der Checkpoint „%1“ wurde geschrieben, aber das Zurücklesen ergibt %2.</translation>
    </message>
    <message>
        <source>Save the project under another name, or give --checkpoint FILE.npz.</source>
        <translation>Speichern Sie das Projekt unter einem anderen Namen, oder geben Sie --checkpoint FILE.npz an.</translation>
    </message>
    <message>
        <source>another one</source>
        <translation>einen anderen</translation>
    </message>
    <message>
        <source>fewer tensors</source>
        <translation>weniger Tensoren</translation>
    </message>
    <message>
        <source>another tensor %1</source>
        <translation>einen anderen Tensor %1</translation>
    </message>
    <message>
        <source>more tensors</source>
        <translation>mehr Tensoren</translation>
    </message>
    <message>
        <source>a value of the file names a string that does not exist</source>
        <translation>ein Wert der Datei nennt eine Zeichenkette, die es nicht gibt</translation>
    </message>
    <message>
        <source>a value of the file is not a shape</source>
        <translation>ein Wert der Datei ist keine Form</translation>
    </message>
    <message>
        <source>a value of the file is too large</source>
        <translation>ein Wert der Datei ist zu groß</translation>
    </message>
    <message>
        <source>a value of the file is out of range</source>
        <translation>ein Wert der Datei liegt außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>a value of the file is an unknown word</source>
        <translation>ein Wert der Datei ist ein unbekanntes Wort</translation>
    </message>
    <message>
        <source>the file holds %1, which Tilewright does not make and does not run.</source>
        <translation>die Datei enthält %1; so etwas legt Tilewright nicht an und führt es nicht aus.</translation>
    </message>
    <message>
        <source>Use a file that Tilewright wrote. If you trust this file, export it to JSON and import that.</source>
        <translation>Verwenden Sie eine Datei, die Tilewright geschrieben hat. Wenn Sie dieser Datei vertrauen, exportieren Sie sie nach JSON und importieren Sie das.</translation>
    </message>
    <message>
        <source>the computed column %1 of table %2</source>
        <translation>die berechnete Spalte %1 der Tabelle %2</translation>
    </message>
    <message>
        <source>another definition of the %1 %2</source>
        <translation>eine andere Definition von %1 %2</translation>
    </message>
    <message>
        <source>the virtual table %1</source>
        <translation>die virtuelle Tabelle %1</translation>
    </message>
    <message>
        <source>the %1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>a %1 in place of the %2 %3</source>
        <translation>%1 anstelle von %2 %3</translation>
    </message>
    <message>
        <source>the table %1 without its column %2</source>
        <translation>die Tabelle %1 ohne ihre Spalte %2</translation>
    </message>
    <message>
        <source>ipus=%1 is outside 1 to %2 of %3.</source>
        <translation>ipus=%1 liegt außerhalb von 1 bis %2 von %3.</translation>
    </message>
    <message>
        <source>Open the project itself.</source>
        <translation>Öffnen Sie das Projekt selbst.</translation>
    </message>
    <message>
        <source>the result of the job</source>
        <translation>das Ergebnis des Auftrags</translation>
    </message>
    <message>
        <source>the run that went on in a process of its own ended before its report began.</source>
        <translation>der Lauf in einem eigenen Prozess endete, bevor sein Bericht begann.</translation>
    </message>
    <message>
        <source>Runs says why it ended; the checkpoint &apos;last&apos; is in the project.</source>
        <translation>„Läufe“ zeigt, warum er endete; der Checkpoint „last“ liegt im Projekt.</translation>
    </message>
    <message>
        <source>this archive holds trained weights.</source>
        <translation>dieses Archiv enthält trainierte Gewichte.</translation>
    </message>
    <message>
        <source>The window cannot load weights yet: give the file to tilewright predict or train --resume.</source>
        <translation>Das Fenster kann Gewichte noch nicht laden: geben Sie die Datei an tilewright predict oder train --resume.</translation>
    </message>
    <message>
        <source>this is a model in the .keras format, which cannot be opened yet.</source>
        <translation>dies ist ein Modell im Format .keras; das lässt sich noch nicht öffnen.</translation>
    </message>
    <message>
        <source>Write the model with model.to_json() in Keras and open that file.</source>
        <translation>Schreiben Sie das Modell in Keras mit model.to_json(), und öffnen Sie diese Datei.</translation>
    </message>
    <message>
        <source>this archive holds no NumPy arrays.</source>
        <translation>dieses Archiv enthält keine NumPy-Arrays.</translation>
    </message>
    <message>
        <source>Archives of data have arrays such as x_train.npy and y_train.npy.</source>
        <translation>Archive mit Daten haben Arrays wie x_train.npy und y_train.npy.</translation>
    </message>
    <message>
        <source>the folder holds no data with the usual names.</source>
        <translation>der Ordner enthält keine Daten mit den üblichen Namen.</translation>
    </message>
    <message>
        <source>Data folders hold for example x_train.npy and y_train.npy, or the four files of MNIST.</source>
        <translation>Datenordner enthalten zum Beispiel x_train.npy und y_train.npy oder die vier Dateien von MNIST.</translation>
    </message>
    <message>
        <source>this is an HDF5 file (.h5), which cannot be opened yet.</source>
        <translation>dies ist eine HDF5-Datei (.h5); die lässt sich noch nicht öffnen.</translation>
    </message>
    <message>
        <source>Write a model with model.to_json() in Keras, or data with numpy.savez(), and open that file.</source>
        <translation>Schreiben Sie ein Modell in Keras mit model.to_json() oder Daten mit numpy.savez(), und öffnen Sie diese Datei.</translation>
    </message>
    <message>
        <source>this is a picture, which cannot be opened.</source>
        <translation>dies ist ein Bild; das lässt sich nicht öffnen.</translation>
    </message>
    <message>
        <source>Pictures that are data go into one array: write them with numpy.savez().</source>
        <translation>Bilder als Daten gehören in ein Array: schreiben Sie sie mit numpy.savez().</translation>
    </message>
    <message>
        <source>this is an ONNX model, which cannot be opened yet.</source>
        <translation>dies ist ein ONNX-Modell; das lässt sich noch nicht öffnen.</translation>
    </message>
    <message>
        <source>Build the model in Keras, write it with model.to_json() and open that file.</source>
        <translation>Bauen Sie das Modell in Keras auf, schreiben Sie es mit model.to_json(), und öffnen Sie diese Datei.</translation>
    </message>
    <message>
        <source>this is a Python script, which cannot be opened yet.</source>
        <translation>dies ist ein Python-Skript; das lässt sich noch nicht öffnen.</translation>
    </message>
    <message>
        <source>Write its model with model.to_json() and open that file.</source>
        <translation>Schreiben Sie sein Modell mit model.to_json(), und öffnen Sie diese Datei.</translation>
    </message>
    <message>
        <source>this kind of file cannot be opened.</source>
        <translation>Dateien dieser Art lassen sich nicht öffnen.</translation>
    </message>
    <message>
        <source>The window opens projects, reports, Keras models as JSON, and data as .npz, .npy, IDX or tables.</source>
        <translation>Das Fenster öffnet Projekte, Berichte, Keras-Modelle als JSON und Daten als .npz, .npy, IDX oder Tabellen.</translation>
    </message>
    <message>
        <source>this is a text without a table of numbers.</source>
        <translation>dies ist ein Text ohne Tabelle von Zahlen.</translation>
    </message>
    <message>
        <source>the file cannot be read.</source>
        <translation>die Datei ist nicht lesbar.</translation>
    </message>
    <message>
        <source>Check that it exists and that you may read it.</source>
        <translation>Prüfen Sie, ob es sie gibt und ob Sie sie lesen dürfen.</translation>
    </message>
    <message>
        <source>this is a device or a pipe.</source>
        <translation>dies ist ein Gerät oder eine Pipe.</translation>
    </message>
    <message>
        <source>Name a regular file.</source>
        <translation>Geben Sie eine reguläre Datei an.</translation>
    </message>
    <message>
        <source>the file is empty.</source>
        <translation>die Datei ist leer.</translation>
    </message>
    <message>
        <source>Choose a file with content.</source>
        <translation>Wählen Sie eine Datei mit Inhalt.</translation>
    </message>
    <message>
        <source>this is a compressed file.</source>
        <translation>dies ist eine komprimierte Datei.</translation>
    </message>
    <message>
        <source>Unpack it and open what it holds.</source>
        <translation>Entpacken Sie sie, und öffnen Sie den Inhalt.</translation>
    </message>
    <message>
        <source>this is a model of TensorFlow.js, which cannot be opened yet.</source>
        <translation>dies ist ein Modell von TensorFlow.js; das lässt sich noch nicht öffnen.</translation>
    </message>
    <message>
        <source>this file holds data, and no project is open.</source>
        <translation>diese Datei enthält Daten, und kein Projekt ist geöffnet.</translation>
    </message>
    <message>
        <source>Open or create a project first, then open the data again.</source>
        <translation>Öffnen oder erstellen Sie zuerst ein Projekt, und öffnen Sie dann die Daten noch einmal.</translation>
    </message>
    <message>
        <source>give for example %1</source>
        <translation>geben Sie zum Beispiel %1 an</translation>
    </message>
    <message>
        <source>there are no test samples</source>
        <translation>es gibt keine Testbeispiele</translation>
    </message>
    <message>
        <source>there are no training samples</source>
        <translation>es gibt keine Trainingsbeispiele</translation>
    </message>
    <message>
        <source>a test sample has no elements: the shape is %1</source>
        <translation>ein Testbeispiel hat keine Elemente: die Form ist %1</translation>
    </message>
    <message>
        <source>a training sample has no elements: the shape is %1</source>
        <translation>ein Trainingsbeispiel hat keine Elemente: die Form ist %1</translation>
    </message>
    <message>
        <source>fits, %1</source>
        <translation>passt, %1</translation>
    </message>
    <message>
        <source>needs %1</source>
        <translation>braucht %1</translation>
    </message>
    <message>
        <source>There was no time to try a change (`tilewright tune` takes more time).</source>
        <translation>Für den Versuch einer Änderung reichte die Zeit nicht (`tilewright tune` nimmt sich mehr Zeit).</translation>
    </message>
    <message>
        <source>None of the changes that were tried in the available time makes it fit (compiles: %1; `tilewright tune` takes more time).</source>
        <translation>Keine der Änderungen, die in der verfügbaren Zeit versucht wurden, reicht aus (Kompilierungen: %1; `tilewright tune` nimmt sich mehr Zeit).</translation>
    </message>
    <message>
        <source>its input has %1 steps, but the mask of the input has %2</source>
        <translation>der Eingang hat %1 Schritte, seine Maske aber %2</translation>
    </message>
    <message>
        <source>use data_format channels_last, or drop the mask before this layer</source>
        <translation>verwenden Sie data_format channels_last, oder entfernen Sie die Maske vor dieser Schicht</translation>
    </message>
</context>
<context>
    <name>tilewright::app::CommandPalette</name>
    <message>
        <source>Matches</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Type a command</source>
        <translation>Befehl eingeben</translation>
    </message>
    <message>
        <source>%1 · not available now</source>
        <translation>%1 · jetzt nicht möglich</translation>
    </message>
    <message>
        <source>Nothing matches “%1”</source>
        <translation>Nichts passt zu „%1“</translation>
    </message>
    <message>
        <source>Search commands, views, settings, targets, layers, fields, runs and report rows</source>
        <translation>Suche in Befehlen, Ansichten, Einstellungen, Zielsystemen, Schichten, Feldern, Läufen und Berichtszeilen</translation>
    </message>
</context>
<context>
    <name>tilewright::app::ConsoleStrip</name>
    <message>
        <source>Close the console</source>
        <translation>Konsole schließen</translation>
    </message>
    <message>
        <source>Open the console</source>
        <translation>Konsole öffnen</translation>
    </message>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n Fehler</numerusform>
            <numerusform>%n Fehler</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n Warnung</numerusform>
            <numerusform>%n Warnungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Problems: %1</source>
        <translation>Probleme: %1</translation>
    </message>
    <message>
        <source>Show the problems</source>
        <translation>Probleme zeigen</translation>
    </message>
    <message>
        <source>Compiles and runs report their progress here.</source>
        <translation>Hier steht, was Kompilierungen und Läufe tun.</translation>
    </message>
</context>
<context>
    <name>tilewright::app::DockTitle</name>
    <message>
        <source>Hide</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Hide %1</source>
        <translation>%1 ausblenden</translation>
    </message>
</context>
<context>
    <name>tilewright::app::FitMeter</name>
    <message>
        <source>Fit of the memory</source>
        <translation>Füllung des Speichers</translation>
    </message>
    <message>
        <source>fits: %1</source>
        <translation>passt: %1</translation>
    </message>
    <message>
        <source>does not fit: %1</source>
        <translation>passt nicht: %1</translation>
    </message>
    <message>
        <source>estimated %1</source>
        <translation>geschätzt %1</translation>
    </message>
    <message>
        <source>Fullest tile of each IPU against its memory, estimated from the layers; a compile in the background follows.</source>
        <translation>Vollstes Tile jeder IPU im Verhältnis zu seinem Speicher, aus den Schichten geschätzt; ein Kompilieren im Hintergrund folgt.</translation>
    </message>
    <message>
        <source>Fullest tile of each IPU against its memory, as a compile in the background placed it.</source>
        <translation>Vollstes Tile jeder IPU im Verhältnis zu seinem Speicher, wie ein Kompilieren im Hintergrund es belegt hat.</translation>
    </message>
    <message>
        <source>Fullest tile of each IPU against its memory, as compiled.</source>
        <translation>Vollstes Tile jeder IPU im Verhältnis zu seinem Speicher, wie kompiliert.</translation>
    </message>
    <message numerus="yes">
        <source>%n more IPU(s)</source>
        <translation>
            <numerusform>%n weitere IPU</numerusform>
            <numerusform>%n weitere IPUs</numerusform>
        </translation>
    </message>
    <message>
        <source>Click to see the memory.</source>
        <translation>Ein Klick zeigt den Speicher.</translation>
    </message>
    <message>
        <source>does not fit: needs %1, reaches %2</source>
        <translation>passt nicht: braucht %1, reicht bis %2</translation>
    </message>
    <message>
        <source>IPU %1: needs %2, reaches %3</source>
        <translation>IPU %1: braucht %2, reicht bis %3</translation>
    </message>
</context>
<context>
    <name>tilewright::app::KeysDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>In the view %1</source>
        <translation>In der Ansicht %1</translation>
    </message>
    <message>
        <source>In the window</source>
        <translation>Im Fenster</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
</context>
<context>
    <name>tilewright::app::MainWindow</name>
    <message>
        <source>Undo: %1</source>
        <translation>Rückgängig: %1</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo: %1</source>
        <translation>Wiederholen: %1</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>&amp;New from template …</source>
        <translation>&amp;Neu aus Vorlage …</translation>
    </message>
    <message>
        <source>&amp;Open …</source>
        <translation>Ö&amp;ffnen …</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Save &amp;as …</source>
        <translation>Speichern &amp;unter …</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>&amp;Find in view</source>
        <translation>In der Ansicht su&amp;chen</translation>
    </message>
    <message>
        <source>&amp;Settings …</source>
        <translation>&amp;Einstellungen …</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Starten</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>&amp;Vorwärts</translation>
    </message>
    <message>
        <source>&amp;Command palette …</source>
        <translation>&amp;Befehlspalette …</translation>
    </message>
    <message>
        <source>&amp;Go to anything …</source>
        <translation>&amp;Gehe zu …</translation>
    </message>
    <message>
        <source>&amp;Export this view …</source>
        <translation>Diese Ansicht &amp;exportieren …</translation>
    </message>
    <message>
        <source>&amp;Float or dock this view</source>
        <translation>Ansicht &amp;lösen oder andocken</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Lessons</source>
        <translation>&amp;Lektionen</translation>
    </message>
    <message>
        <source>&amp;About Tilewright</source>
        <translation>&amp;Über Tilewright</translation>
    </message>
    <message>
        <source>About Tilewright</source>
        <translation>Über Tilewright</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Tilewright %1&lt;/h3&gt;&lt;p&gt;A workbench for machines made of many tiles: builds, compiles, trains and explains models on an emulated system of 1 to 64 IPUs.&lt;/p&gt;&lt;p&gt;Cycles and bytes are modelled; numbers are computed for real.&lt;/p&gt;&lt;p&gt;GPL-3.0-or-later.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Tilewright %1&lt;/h3&gt;&lt;p&gt;Eine Werkbank für Maschinen aus vielen Tiles: baut, kompiliert, trainiert und erklärt Modelle auf einem emulierten System von 1 bis 64 IPUs.&lt;/p&gt;&lt;p&gt;Takte und Bytes sind modelliert; die Zahlen werden wirklich berechnet.&lt;/p&gt;&lt;p&gt;GPL-3.0-or-later.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>New from &amp;template</source>
        <translation>Neu aus &amp;Vorlage</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>Main tool bar</source>
        <translation>Hauptwerkzeugleiste</translation>
    </message>
    <message>
        <source>Target system</source>
        <translation>Zielsystem</translation>
    </message>
    <message>
        <source>Clear list</source>
        <translation>Liste leeren</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Projects, reports, models (*.tilewright *.twreport *.json);;All files (*)</source>
        <translation>Projekte, Berichte, Modelle (*.tilewright *.twreport *.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save project</source>
        <translation>Projekt speichern</translation>
    </message>
    <message>
        <source>Tilewright project (*.tilewright);;JSON twin (*.json)</source>
        <translation>Tilewright-Projekt (*.tilewright);;JSON-Zwilling (*.json)</translation>
    </message>
    <message>
        <source>A run is in progress</source>
        <translation>Ein Lauf ist im Gange</translation>
    </message>
    <message>
        <source>The run can stop after this step and keep its checkpoint and report, or continue in a separate process.</source>
        <translation>Der Lauf kann nach diesem Schritt gestoppt werden und behält Checkpoint und Bericht, oder er geht in einem eigenen Prozess weiter.</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>Lauf stoppen</translation>
    </message>
    <message>
        <source>Continue detached</source>
        <translation>Losgelöst fortsetzen</translation>
    </message>
    <message>
        <source>Save changes?</source>
        <translation>Änderungen speichern?</translation>
    </message>
    <message>
        <source>%1 has changes that are not saved.</source>
        <translation>%1 hat Änderungen, die nicht gespeichert sind.</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>%1 exportieren</translation>
    </message>
    <message>
        <source>Picture (*.png);;Vector picture (*.svg);;PDF (*.pdf);;Table (*.csv)</source>
        <translation>Bild (*.png);;Vektorbild (*.svg);;PDF (*.pdf);;Tabelle (*.csv)</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Geschrieben: %1</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>&amp;Reset this mode</source>
        <translation>Diesen Modus &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>&amp;Save arrangement as …</source>
        <translation>Anordnung &amp;sichern als …</translation>
    </message>
    <message>
        <source>&amp;Take this view out of the mode</source>
        <translation>Diese Ansicht aus dem Modus &amp;nehmen</translation>
    </message>
    <message>
        <source>&amp;Open or close the console</source>
        <translation>Konsole &amp;öffnen oder schließen</translation>
    </message>
    <message>
        <source>Empty project</source>
        <translation>Leeres Projekt</translation>
    </message>
    <message>
        <source>&amp;Arrangement</source>
        <translation>&amp;Anordnung</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>Ohne Titel</translation>
    </message>
    <message>
        <source>Save arrangement</source>
        <translation>Anordnung sichern</translation>
    </message>
    <message>
        <source>Name of the arrangement:</source>
        <translation>Name der Anordnung:</translation>
    </message>
    <message numerus="yes">
        <source>It was never saved: Discard also deletes its %n run(s), with reports and weights.</source>
        <translation>
            <numerusform>Es wurde nie gespeichert: Verwerfen löscht auch seinen %n Lauf, mit Bericht und Gewichten.</numerusform>
            <numerusform>Es wurde nie gespeichert: Verwerfen löscht auch seine %n Läufe, mit Berichten und Gewichten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Changed elsewhere</source>
        <translation>Anderswo geändert</translation>
    </message>
    <message>
        <source>%1 was changed by another program since it was opened here.</source>
        <translation>%1 wurde von einem anderen Programm geändert, seit es hier geöffnet wurde.</translation>
    </message>
    <message>
        <source>Overwrite replaces what the other program saved; “Save as …” keeps both.</source>
        <translation>„Überschreiben“ ersetzt, was das andere Programm gespeichert hat; „Speichern unter …“ behält beides.</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>Überschreiben</translation>
    </message>
    <message>
        <source>The weights are not in the project</source>
        <translation>Die Gewichte sind nicht im Projekt</translation>
    </message>
    <message>
        <source>Save as …</source>
        <translation>Speichern unter …</translation>
    </message>
    <message>
        <source>%1 holds data (%2).</source>
        <translation>%1 enthält Daten (%2).</translation>
    </message>
    <message>
        <source>The project is unchanged.</source>
        <translation>Das Projekt ist unverändert.</translation>
    </message>
    <message>
        <source>Use as data</source>
        <translation>Als Daten verwenden</translation>
    </message>
    <message>
        <source>Tilewright found unsaved changes to %1 of %2.</source>
        <translation>Tilewright hat nicht gespeicherte Änderungen an %1 vom %2 gefunden.</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
</context>
<context>
    <name>tilewright::app::MessageBar</name>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Close message</source>
        <translation>Meldung schließen</translation>
    </message>
</context>
<context>
    <name>tilewright::app::ModeBar</name>
    <message>
        <source>Modes</source>
        <translation>Modi</translation>
    </message>
</context>
<context>
    <name>tilewright::app::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>Wie der Desktop</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farben</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>S&amp;prache</translation>
    </message>
    <message>
        <source>Binary (KiB, MiB)</source>
        <translation>Binär (KiB, MiB)</translation>
    </message>
    <message>
        <source>Decimal (kB, MB)</source>
        <translation>Dezimal (kB, MB)</translation>
    </message>
    <message>
        <source>Plain bytes</source>
        <translation>Einfach Bytes</translation>
    </message>
    <message>
        <source>&amp;Bytes</source>
        <translation>&amp;Bytes</translation>
    </message>
</context>
<context>
    <name>tilewright::app::StartPage</name>
    <message>
        <source>Start page</source>
        <translation>Startseite</translation>
    </message>
    <message>
        <source>&lt;b style=&apos;font-size:x-large&apos;&gt;Tilewright&lt;/b&gt;&lt;br&gt;Build a model, compile it onto tiles, train it, and see where every byte and cycle goes.</source>
        <translation>&lt;b style=&apos;font-size:x-large&apos;&gt;Tilewright&lt;/b&gt;&lt;br&gt;Ein Modell bauen, auf Tiles kompilieren, trainieren, und sehen, wo jedes Byte und jeder Takt bleibt.</translation>
    </message>
    <message>
        <source>Open a project or report …</source>
        <translation>Projekt oder Bericht öffnen …</translation>
    </message>
    <message>
        <source>Recovered</source>
        <translation>Wiedergefunden</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt benutzt</translation>
    </message>
    <message>
        <source>missing: %1</source>
        <translation>fehlt: %1</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>Aus der Liste entfernen</translation>
    </message>
    <message>
        <source>Remove %1 from the list</source>
        <translation>%1 aus der Liste entfernen</translation>
    </message>
    <message>
        <source>Projects and reports that you open are listed here. You can also drop files on the window.</source>
        <translation>Projekte und Berichte, die Sie öffnen, stehen hier. Dateien lassen sich auch auf das Fenster ziehen.</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>Lektionen</translation>
    </message>
    <message>
        <source>MNIST in five minutes</source>
        <translation>MNIST in fünf Minuten</translation>
    </message>
    <message>
        <source>Reading the memory report</source>
        <translation>Den Speicherbericht lesen</translation>
    </message>
    <message>
        <source>Why the slowest tile decides</source>
        <translation>Warum das langsamste Tile entscheidet</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n Schicht</numerusform>
            <numerusform>%n Schichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n IPU(s)</source>
        <translation>
            <numerusform>%n IPU</numerusform>
            <numerusform>%n IPUs</numerusform>
        </translation>
    </message>
    <message>
        <source>does not fit %1 (estimated)</source>
        <translation>passt nicht auf %1 (geschätzt)</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>Neues Projekt</translation>
    </message>
    <message>
        <source>Empty project</source>
        <translation>Leeres Projekt</translation>
    </message>
    <message>
        <source>A canvas to build on: type “input 28 28”, then “dense 10 softmax”.</source>
        <translation>Eine leere Fläche: „input 28 28“ eingeben, dann „dense 10 softmax“.</translation>
    </message>
    <message>
        <source>From a template to a trained model, and what it costs on tiles.</source>
        <translation>Von der Vorlage zum trainierten Modell und was es auf Tiles kostet.</translation>
    </message>
    <message>
        <source>What fills a tile, why it is full, and what makes room.</source>
        <translation>Was ein Tile füllt, warum es voll ist und was Platz schafft.</translation>
    </message>
    <message>
        <source>Supersteps, waiting tiles, and how to balance them.</source>
        <translation>Superschritte, wartende Tiles und wie man sie ausgleicht.</translation>
    </message>
    <message>
        <source>fits %1 (estimated)</source>
        <translation>passt auf %1 (geschätzt)</translation>
    </message>
    <message numerus="yes">
        <source>%1 parameter(s)</source>
        <translation>
            <numerusform>%1 Parameter</numerusform>
            <numerusform>%1 Parameter</numerusform>
        </translation>
    </message>
    <message>
        <source>Never saved. Last change: %1</source>
        <translation>Nie gespeichert. Letzte Änderung: %1</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>Ohne Titel</translation>
    </message>
</context>
<context>
    <name>tilewright::app::StatusStrip</name>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>Memory of the workbench</source>
        <translation>Speicher der Werkbank</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n IPU(s) · %2 MHz</source>
        <translation>
            <numerusform>%1 · %n IPU · %2 MHz</numerusform>
            <numerusform>%1 · %n IPUs · %2 MHz</numerusform>
        </translation>
    </message>
    <message>
        <source>host, nothing emulated</source>
        <translation>Host, nichts emuliert</translation>
    </message>
    <message>
        <source> · host takes %1 times as long</source>
        <translation> · Host braucht %1-mal so lange</translation>
    </message>
    <message>
        <source>step %1 · %2 %3 · %4 here</source>
        <translation>Schritt %1 · %2 %3 · %4 hier</translation>
    </message>
</context>
<context>
    <name>tilewright::app::Workbench</name>
    <message>
        <source>Take %1 out of this mode</source>
        <translation>%1 aus diesem Modus nehmen</translation>
    </message>
    <message>
        <source>Float</source>
        <translation>Abdocken</translation>
    </message>
    <message>
        <source>Move to</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>The middle</source>
        <translation>In die Mitte</translation>
    </message>
    <message>
        <source>The left</source>
        <translation>Nach links</translation>
    </message>
    <message>
        <source>The right</source>
        <translation>Nach rechts</translation>
    </message>
    <message>
        <source>Below</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Bring into this mode</source>
        <translation>In diesen Modus holen</translation>
    </message>
</context>
<context>
    <name>tilewright::views::AddBox</name>
    <message>
        <source>Type a layer: dense 128 relu</source>
        <translation>Schicht eingeben: dense 128 relu</translation>
    </message>
    <message>
        <source>Add layers by typing</source>
        <translation>Schichten durch Eingeben hinzufügen</translation>
    </message>
    <message>
        <source>A layer with its arguments, like “dense 128 relu”, “dropout 0.5” or “dense 64 relu x3 &gt; dense 10 softmax”. Enter adds it after the selected layer.</source>
        <translation>Eine Schicht mit ihren Argumenten, etwa „dense 128 relu“, „dropout 0.5“ oder „dense 64 relu x3 &gt; dense 10 softmax“. Die Eingabetaste setzt sie hinter die gewählte Schicht.</translation>
    </message>
    <message>
        <source>Completions</source>
        <translation>Ergänzungen</translation>
    </message>
    <message>
        <source>Type a layer: input 28 28</source>
        <translation>Schicht eingeben: input 28 28</translation>
    </message>
    <message>
        <source>Type a layer to add after %1: dense 128 relu</source>
        <translation>Schicht eingeben, die auf %1 folgt: dense 128 relu</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n Schicht</numerusform>
            <numerusform>%n Schichten</numerusform>
        </translation>
    </message>
    <message>
        <source>Enter adds %1</source>
        <translation>Eingabetaste: %1 hinzufügen</translation>
    </message>
    <message>
        <source>Enter adds %1 after %2</source>
        <translation>Eingabetaste: %1 nach %2 hinzufügen</translation>
    </message>
    <message numerus="yes">
        <source>%1: output %2, %3 parameter(s)</source>
        <translation>
            <numerusform>%1: Ausgang %2, %3 Parameter</numerusform>
            <numerusform>%1: Ausgang %2, %3 Parameter</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::AddressMapWidget</name>
    <message>
        <source>Addresses of the tile by liveness step</source>
        <translation>Adressen des Tiles nach Liveness-Schritt</translation>
    </message>
    <message>
        <source>always live</source>
        <translation>immer live</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1
%2 at %3 (%4)
%5 · %6 · %7
aligned to %8 B</source>
        <translation>%1
%2 bei %3 (%4)
%5 · %6 · %7
ausgerichtet auf %8 B</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>gap of %1: %2</source>
        <translation>Lücke von %1: %2</translation>
    </message>
    <message>
        <source>Choose a tile to see the content of its addresses.</source>
        <translation>Wählen Sie ein Tile, um zu sehen, was an seinen Adressen liegt.</translation>
    </message>
    <message>
        <source>end of the tile, %1</source>
        <translation>Ende des Tiles, %1</translation>
    </message>
    <message>
        <source>%1 unused at %2
%3</source>
        <translation>%1 unbenutzt bei %2
%3</translation>
    </message>
    <message>
        <source>live at liveness steps %1</source>
        <translation>live in den Liveness-Schritten %1</translation>
    </message>
    <message>
        <source>liveness step 0</source>
        <translation>Liveness-Schritt 0</translation>
    </message>
    <message>
        <source>live at liveness step %1</source>
        <translation>live in Liveness-Schritt %1</translation>
    </message>
    <message>
        <source>%1 at liveness step %2: free now</source>
        <translation>%1 in Liveness-Schritt %2: gerade frei</translation>
    </message>
</context>
<context>
    <name>tilewright::views::BspCanvas</name>
    <message>
        <source>Tiles over time</source>
        <translation>Tiles über der Zeit</translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln tiles in rows, phases of time in columns</source>
        <translation>
            <numerusform>%1: %Ln Tile als Zeile, Zeitphasen als Spalten</numerusform>
            <numerusform>%1: %Ln Tiles als Zeilen, Zeitphasen als Spalten</numerusform>
        </translation>
    </message>
    <message>
        <source>Up, Down	scroll tiles</source>
        <translation>Hoch, Runter	Tiles rollen</translation>
    </message>
    <message>
        <source>Shift+Up, Shift+Down	zoom tiles in, out</source>
        <translation>Umschalt+Hoch, Umschalt+Runter	Tiles vergrößern, verkleinern</translation>
    </message>
    <message>
        <source>Ctrl+Shift+wheel	zoom tiles at the pointer</source>
        <translation>Strg+Umschalt+Rad	Tiles am Zeiger vergrößern</translation>
    </message>
    <message>
        <source>, .	previous, next phase</source>
        <translation>, .	vorige, nächste Phase</translation>
    </message>
    <message>
        <source>tile %1</source>
        <translation>Tile %1</translation>
    </message>
    <message>
        <source>tile %1: idle</source>
        <translation>Tile %1: Leerlauf</translation>
    </message>
</context>
<context>
    <name>tilewright::views::CanvasActions</name>
    <message>
        <source>Add %1</source>
        <translation>%1 hinzufügen</translation>
    </message>
    <message numerus="yes">
        <source>Add %n layer(s)</source>
        <translation>
            <numerusform>%n Schicht hinzufügen</numerusform>
            <numerusform>%n Schichten hinzufügen</numerusform>
        </translation>
    </message>
    <message>
        <source>Several connections run here: unfold the group to choose one.</source>
        <translation>Hier laufen mehrere Verbindungen: Klappen Sie die Gruppe auf, um eine zu wählen.</translation>
    </message>
    <message>
        <source>Connect %1 with %2</source>
        <translation>%1 mit %2 verbinden</translation>
    </message>
    <message>
        <source>Select the layers of the group first.</source>
        <translation>Wählen Sie zuerst die Schichten der Gruppe.</translation>
    </message>
    <message>
        <source>The group is no more.</source>
        <translation>Die Gruppe gibt es nicht mehr.</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s) are “%1” now. A double click on its name folds it.</source>
        <translation>
            <numerusform>%n Schicht ist jetzt „%1“. Ein Doppelklick auf den Namen klappt die Gruppe ein.</numerusform>
            <numerusform>%n Schichten sind jetzt „%1“. Ein Doppelklick auf den Namen klappt die Gruppe ein.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) stay where they are put. “Unpin” in the menu lets them go.</source>
        <translation>
            <numerusform>%n Kasten bleibt, wo er hingesetzt wurde. „Loslassen“ im Menü gibt ihn frei.</numerusform>
            <numerusform>%n Kästen bleiben, wo sie hingesetzt wurden. „Loslassen“ im Menü gibt sie frei.</numerusform>
        </translation>
    </message>
    <message>
        <source>Disconnect %1 from %2</source>
        <translation>%1 von %2 trennen</translation>
    </message>
    <message>
        <source>Nothing is selected.</source>
        <translation>Nichts ist ausgewählt.</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message numerus="yes">
        <source>Remove %n layer(s)</source>
        <translation>
            <numerusform>%n Schicht entfernen</numerusform>
            <numerusform>%n Schichten entfernen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s) copied as Keras JSON.</source>
        <translation>
            <numerusform>%n Schicht als Keras-JSON kopiert.</numerusform>
            <numerusform>%n Schichten als Keras-JSON kopiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>The clipboard holds no layers: copy some here, or the text of Keras&apos;s to_json.</source>
        <translation>Die Zwischenablage enthält keine Schichten: Kopieren Sie hier welche oder den Text von Keras&apos; to_json.</translation>
    </message>
    <message numerus="yes">
        <source>Paste %n layer(s)</source>
        <translation>
            <numerusform>%n Schicht einfügen</numerusform>
            <numerusform>%n Schichten einfügen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Duplicate %n layer(s)</source>
        <translation>
            <numerusform>%n Schicht verdoppeln</numerusform>
            <numerusform>%n Schichten verdoppeln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) depend on it.</source>
        <translation>
            <numerusform>%n Kasten hängt davon ab.</numerusform>
            <numerusform>%n Kästen hängen davon ab.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It depends on %n node(s).</source>
        <translation>
            <numerusform>Er hängt von %n Kasten ab.</numerusform>
            <numerusform>Er hängt von %n Kästen ab.</numerusform>
        </translation>
    </message>
    <message>
        <source>Layers that take %1 of %2</source>
        <translation>Schichten, die %1 von %2 nehmen</translation>
    </message>
    <message>
        <source>No fix is known</source>
        <translation>Keine Abhilfe bekannt</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Unfold</source>
        <translation>Aufklappen</translation>
    </message>
    <message>
        <source>Show in the inspector</source>
        <translation>Im Inspektor zeigen</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen…</translation>
    </message>
    <message>
        <source>Insert after it</source>
        <translation>Dahinter einfügen</translation>
    </message>
    <message>
        <source>No output of the model any more</source>
        <translation>Nicht länger Ausgang des Modells</translation>
    </message>
    <message>
        <source>Make it an output of the model</source>
        <translation>Zum Ausgang des Modells machen</translation>
    </message>
    <message>
        <source>Make %1 an output</source>
        <translation>%1 zum Ausgang machen</translation>
    </message>
    <message>
        <source>Make %1 no output</source>
        <translation>%1 nicht länger Ausgang</translation>
    </message>
    <message>
        <source>Trace what it depends on</source>
        <translation>Verfolgen, wovon es abhängt</translation>
    </message>
    <message>
        <source>Trace what depends on it</source>
        <translation>Verfolgen, was davon abhängt</translation>
    </message>
    <message numerus="yes">
        <source>%n connection(s): unfold the group to edit them</source>
        <translation>
            <numerusform>%n Verbindung: Klappen Sie die Gruppe auf, um sie zu ändern</numerusform>
            <numerusform>%n Verbindungen: Klappen Sie die Gruppe auf, um sie zu ändern</numerusform>
        </translation>
    </message>
    <message>
        <source>Insert here</source>
        <translation>Hier einfügen</translation>
    </message>
    <message>
        <source>Remove the connection</source>
        <translation>Verbindung entfernen</translation>
    </message>
    <message>
        <source>Remove stage</source>
        <translation>Stufe entfernen</translation>
    </message>
    <message>
        <source>Set stage %1</source>
        <translation>Stufe %1 setzen</translation>
    </message>
    <message>
        <source>stage %1 (new)</source>
        <translation>Stufe %1 (neu)</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>No stage</source>
        <translation>Keine Stufe</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>Ausschneiden</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Verdoppeln</translation>
    </message>
    <message>
        <source>Group or ungroup</source>
        <translation>Gruppieren oder auflösen</translation>
    </message>
    <message>
        <source>Set stage</source>
        <translation>Stufe setzen</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Loslassen</translation>
    </message>
    <message>
        <source>Select the path between them</source>
        <translation>Den Weg dazwischen auswählen</translation>
    </message>
    <message>
        <source>No path leads from one to the other.</source>
        <translation>Kein Weg führt vom einen zum anderen.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Add a layer…</source>
        <translation>Schicht hinzufügen…</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Lay out again</source>
        <translation>Neu anordnen</translation>
    </message>
    <message>
        <source>Unpin all</source>
        <translation>Alle loslassen</translation>
    </message>
    <message>
        <source>Draw from top to bottom</source>
        <translation>Von oben nach unten zeichnen</translation>
    </message>
    <message>
        <source>Draw from left to right</source>
        <translation>Von links nach rechts zeichnen</translation>
    </message>
    <message>
        <source>Group by name</source>
        <translation>Nach Namen gruppieren</translation>
    </message>
    <message>
        <source>No two layers share a scope (block/layer) in their names.</source>
        <translation>Keine zwei Schichten haben einen gemeinsamen Namensteil (Block/Schicht).</translation>
    </message>
    <message>
        <source>Fold all groups</source>
        <translation>Alle Gruppen einklappen</translation>
    </message>
    <message>
        <source>Unfold all groups</source>
        <translation>Alle Gruppen aufklappen</translation>
    </message>
    <message>
        <source>Make the model Sequential</source>
        <translation>Modell in Sequential umwandeln</translation>
    </message>
    <message>
        <source>Make the model functional</source>
        <translation>Modell in ein funktionales umwandeln</translation>
    </message>
    <message>
        <source>Make Sequential</source>
        <translation>In Sequential umwandeln</translation>
    </message>
    <message>
        <source>Make functional</source>
        <translation>In funktional umwandeln</translation>
    </message>
    <message>
        <source>Propose pipeline stages</source>
        <translation>Pipeline-Stufen vorschlagen</translation>
    </message>
    <message numerus="yes">
        <source>%n stage(s), work shared evenly</source>
        <translation>
            <numerusform>%n Stufe, Arbeit gleich verteilt</numerusform>
            <numerusform>%n Stufen, Arbeit gleich verteilt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Propose %n stage(s)</source>
        <translation>
            <numerusform>%n Stufe vorschlagen</numerusform>
            <numerusform>%n Stufen vorschlagen</numerusform>
        </translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>100 %</source>
        <translation>100 %</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Unfold the group to choose the layer that takes the connection.</source>
        <translation>Klappen Sie die Gruppe auf, um die Schicht zu wählen, die die Verbindung nimmt.</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 verschieben</translation>
    </message>
    <message numerus="yes">
        <source>Move %n node(s)</source>
        <translation>
            <numerusform>%n Knoten verschieben</numerusform>
            <numerusform>%n Knoten verschieben</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::CanvasMinimap</name>
    <message>
        <source>Overview of the model</source>
        <translation>Überblick über das Modell</translation>
    </message>
    <message>
        <source>Drag the frame to move over the model</source>
        <translation>Den Rahmen ziehen, um sich über das Modell zu bewegen</translation>
    </message>
</context>
<context>
    <name>tilewright::views::CanvasView</name>
    <message>
        <source>What happened</source>
        <translation>Was geschehen ist</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Vergrößerung</translation>
    </message>
    <message>
        <source>Colour nodes by</source>
        <translation>Kästen färben nach</translation>
    </message>
    <message>
        <source>What the nodes are coloured by</source>
        <translation>Wonach die Kästen gefärbt sind</translation>
    </message>
    <message>
        <source>Lay out again</source>
        <translation>Neu anordnen</translation>
    </message>
    <message>
        <source>No project is open. Open one, or begin with the model of the tutorial.</source>
        <translation>Kein Projekt ist offen. Öffnen Sie eines, oder beginnen Sie mit dem Modell der Lektion.</translation>
    </message>
    <message>
        <source>Begin with handwritten digits</source>
        <translation>Mit handgeschriebenen Ziffern beginnen</translation>
    </message>
    <message>
        <source>%1: %2 of %3 layers</source>
        <translation>%1: %2 von %3 Schichten</translation>
    </message>
    <message>
        <source>%1 of %2 layers selected</source>
        <translation>%1 von %2 Schichten ausgewählt</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Output shape</source>
        <translation>Form des Ausgangs</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Weight bytes (estimated)</source>
        <translation>Gewichte in Byte (geschätzt)</translation>
    </message>
    <message>
        <source>Optimizer bytes (estimated)</source>
        <translation>Optimierer in Byte (geschätzt)</translation>
    </message>
    <message>
        <source>Activation bytes (estimated)</source>
        <translation>Aktivierungen in Byte (geschätzt)</translation>
    </message>
    <message>
        <source>Multiply-adds per sample</source>
        <translation>Multiplikationen mit Addition je Beispiel</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Nach</translation>
    </message>
</context>
<context>
    <name>tilewright::views::CanvasWidget</name>
    <message>
        <source>Model canvas</source>
        <translation>Zeichenfläche des Modells</translation>
    </message>
    <message>
        <source>No layers yet. Type “input 28 28” below, or drag one here from the list of layers.</source>
        <translation>Noch keine Schichten. Geben Sie unten „input 28 28“ ein, oder ziehen Sie eine aus der Liste der Schichten hierher.</translation>
    </message>
    <message>
        <source>Click for what can be done.</source>
        <translation>Klicken zeigt, was zu tun ist.</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message numerus="yes">
        <source>%n connection(s)</source>
        <translation>
            <numerusform>%n Verbindung</numerusform>
            <numerusform>%n Verbindungen</numerusform>
        </translation>
    </message>
    <message>
        <source>This connection closes a cycle.</source>
        <translation>Diese Verbindung schließt einen Kreis.</translation>
    </message>
    <message numerus="yes">
        <source>%n node(s) selected</source>
        <translation>
            <numerusform>%n Kasten ausgewählt</numerusform>
            <numerusform>%n Kästen ausgewählt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s). Arrow keys walk along connections, Tab adds a layer.</source>
        <translation>
            <numerusform>%n Schicht. Pfeiltasten gehen an Verbindungen entlang, Tab fügt eine Schicht hinzu.</numerusform>
            <numerusform>%n Schichten. Pfeiltasten gehen an Verbindungen entlang, Tab fügt eine Schicht hinzu.</numerusform>
        </translation>
    </message>
    <message>
        <source>arrows	walk along connections (Shift: extend)</source>
        <translation>Pfeile	entlang der Verbindungen gehen (Umschalt: erweitern)</translation>
    </message>
    <message>
        <source>1, 0, F	original size, everything, selection</source>
        <translation>1, 0, F	Originalgröße, alles, Auswahl</translation>
    </message>
    <message>
        <source>Tab	add a layer by typing</source>
        <translation>Tab	Schicht durch Tippen hinzufügen</translation>
    </message>
    <message>
        <source>F2	rename</source>
        <translation>F2	umbenennen</translation>
    </message>
    <message>
        <source>Del, Backspace	remove</source>
        <translation>Entf, Rücktaste	entfernen</translation>
    </message>
    <message>
        <source>Ctrl+D, Ctrl+G	duplicate, group</source>
        <translation>Strg+D, Strg+G	verdoppeln, gruppieren</translation>
    </message>
    <message>
        <source>Space+drag, middle button	move the sheet</source>
        <translation>Leertaste+Ziehen, mittlere Taste	Blatt verschieben</translation>
    </message>
    <message>
        <source>Ctrl+wheel, +, -	zoom</source>
        <translation>Strg+Rad, +, -	vergrößern, verkleinern</translation>
    </message>
</context>
<context>
    <name>tilewright::views::Chart</name>
    <message>
        <source>arrows	next element</source>
        <translation>Pfeile	nächstes Element</translation>
    </message>
    <message>
        <source>Enter	select it</source>
        <translation>Eingabe	auswählen</translation>
    </message>
    <message>
        <source>+, -	zoom</source>
        <translation>+, -	vergrößern, verkleinern</translation>
    </message>
    <message>
        <source>Home	show all</source>
        <translation>Pos1	alles zeigen</translation>
    </message>
    <message>
        <source>Esc	clear</source>
        <translation>Esc	Auswahl aufheben</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ClassChart</name>
    <message>
        <source>training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>test</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>Samples by class</source>
        <translation>Beispiele je Klasse</translation>
    </message>
    <message>
        <source>Class %1: %2 training</source>
        <translation>Klasse %1: %2 im Training</translation>
    </message>
    <message>
        <source>%1 validation</source>
        <translation>%1 in der Validierung</translation>
    </message>
    <message>
        <source>%1 test</source>
        <translation>%1 im Test</translation>
    </message>
    <message>
        <source>class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Classes: %1; arrow keys read them</source>
        <translation>Klassen: %1; Pfeiltasten lesen sie vor</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ColorKeys</name>
    <message>
        <source>Legend of the colours</source>
        <translation>Legende der Farben</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ColumnChart</name>
    <message>
        <source>limit %1</source>
        <translation>Grenze %1</translation>
    </message>
    <message>
        <source>%1 is above ↑</source>
        <translation>%1 liegt darüber ↑</translation>
    </message>
    <message>
        <source>%1: click to show or hide</source>
        <translation>%1: Klicken zeigt oder verbirgt es</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 mehr</translation>
    </message>
    <message>
        <source>areas: mean of the columns in a pixel · line: their maximum</source>
        <translation>Flächen: Mittel der Spalten eines Pixels · Linie: ihr Maximum</translation>
    </message>
    <message>
        <source>W, S	zoom in, out</source>
        <translation>W, S	vergrößern, verkleinern</translation>
    </message>
    <message>
        <source>A, D	pan</source>
        <translation>A, D	verschieben</translation>
    </message>
    <message>
        <source>F, 0	show all</source>
        <translation>F, 0	alles zeigen</translation>
    </message>
    <message>
        <source>Ctrl+wheel	zoom at the pointer</source>
        <translation>Strg+Rad	am Zeiger vergrößern</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ColumnOverview</name>
    <message>
        <source>Overview of the whole axis</source>
        <translation>Übersicht über die ganze Achse</translation>
    </message>
    <message>
        <source>%1 of it</source>
        <translation>%1 davon</translation>
    </message>
</context>
<context>
    <name>tilewright::views::CompareButton</name>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Show differences to %1. Another report: “Pin as baseline” in Runs.</source>
        <translation>Unterschiede zu %1 zeigen. Ein anderer Bericht: „Als Vergleichsbasis anheften“ bei den Läufen.</translation>
    </message>
</context>
<context>
    <name>tilewright::views::CompareCurves</name>
    <message>
        <source>Series of both runs</source>
        <translation>Reihen beider Läufe</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>Reihe</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Vergleichsbasis</translation>
    </message>
    <message>
        <source>on show</source>
        <translation>gezeigt</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ComparePane</name>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Nothing to compare</source>
        <translation>Nichts zu vergleichen</translation>
    </message>
    <message>
        <source>Open the report of a run.</source>
        <translation>Öffnen Sie den Bericht eines Laufs.</translation>
    </message>
    <message>
        <source>Pin a run as the baseline to see what differs from it.</source>
        <translation>Heften Sie einen Lauf als Vergleichsbasis an, um zu sehen, was sich unterscheidet.</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen…</translation>
    </message>
    <message>
        <source>The two reports say the same.</source>
        <translation>Die beiden Berichte sagen dasselbe.</translation>
    </message>
    <message>
        <source>%1 of %2 tiles differ</source>
        <translation>%1 von %2 Tiles unterscheiden sich</translation>
    </message>
    <message>
        <source>the machines differ: tiles are compared by rank of size</source>
        <translation>die Maschinen sind verschieden: Tiles werden nach ihrem Rang verglichen</translation>
    </message>
    <message>
        <source>cycles are those of one step; times measured on this computer are not compared</source>
        <translation>Takte sind die eines Schritts; was auf diesem Rechner gemessen wurde, wird nicht verglichen</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Vergleichsbasis</translation>
    </message>
    <message>
        <source>On show</source>
        <translation>Gezeigt</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>Percent</source>
        <translation>Prozent</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message numerus="yes">
        <source>%Ln difference(s): from “%1” to “%2”</source>
        <translation>
            <numerusform>%Ln Unterschied: von „%1“ zu „%2“</numerusform>
            <numerusform>%Ln Unterschiede: von „%1“ zu „%2“</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln difference(s) of %1 runs from “%2”</source>
        <translation>
            <numerusform>%Ln Unterschied von %1 Läufen zu „%2“</numerusform>
            <numerusform>%Ln Unterschiede von %1 Läufen zu „%2“</numerusform>
        </translation>
    </message>
    <message>
        <source>The reports say the same.</source>
        <translation>Die Berichte sagen dasselbe.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more chosen run(s) not shown: so many would look alike</source>
        <translation>
            <numerusform>%Ln weiterer gewählter Lauf: nicht gezeigt, so viele sind nicht zu unterscheiden</numerusform>
            <numerusform>%Ln weitere gewählte Läufe: nicht gezeigt, so viele sind nicht zu unterscheiden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::CompileView</name>
    <message>
        <source>Facts of the compile</source>
        <translation>Angaben zum Kompilieren</translation>
    </message>
    <message>
        <source>Phases and passes</source>
        <translation>Phasen und Durchgänge</translation>
    </message>
    <message>
        <source>Progress of the compile</source>
        <translation>Fortschritt des Kompilierens</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stops the compile and removes its unfinished results</source>
        <translation>Bricht das Kompilieren ab; nichts Halbfertiges bleibt zurück</translation>
    </message>
    <message>
        <source>Show worst tile</source>
        <translation>Vollstes Tile zeigen</translation>
    </message>
    <message>
        <source>Insights</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>What could be changed so that it fits</source>
        <translation>Was zu ändern wäre, damit es passt</translation>
    </message>
    <message>
        <source>The compile ended with an error</source>
        <translation>Das Kompilieren endete mit einem Fehler</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Beginnt</translation>
    </message>
    <message>
        <source>%1 · %2 here so far</source>
        <translation>%1 · %2 bisher hier</translation>
    </message>
    <message>
        <source> · last time %1 in all</source>
        <translation> · letztes Mal %1 insgesamt</translation>
    </message>
    <message>
        <source>Compiling: %1</source>
        <translation>Kompilieren: %1</translation>
    </message>
    <message>
        <source>Nothing compiled yet in this session.</source>
        <translation>In dieser Sitzung wurde noch nichts kompiliert.</translation>
    </message>
    <message>
        <source>Open a project and compile it, or open a report.</source>
        <translation>Öffnen Sie ein Projekt und kompilieren Sie es, oder öffnen Sie einen Bericht.</translation>
    </message>
    <message>
        <source>The report does not say how long the phases of the compile took.</source>
        <translation>Der Bericht sagt nicht, wie lange die Phasen des Kompilierens dauerten.</translation>
    </message>
    <message>
        <source>The project has changed since this was compiled.</source>
        <translation>Das Projekt hat sich geändert, seit dies kompiliert wurde.</translation>
    </message>
    <message>
        <source>Recompile</source>
        <translation>Neu kompilieren</translation>
    </message>
    <message>
        <source>Phase or pass</source>
        <translation>Phase oder Durchgang</translation>
    </message>
    <message>
        <source>Time here</source>
        <translation>Zeit hier</translation>
    </message>
    <message>
        <source>did not end</source>
        <translation>nicht beendet</translation>
    </message>
    <message>
        <source>Nodes before</source>
        <translation>Knoten vorher</translation>
    </message>
    <message>
        <source>Nodes after</source>
        <translation>Knoten nachher</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ConfigCard</name>
    <message>
        <source>Configuration of the run</source>
        <translation>Konfiguration des Laufs</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ConfigView</name>
    <message>
        <source>Options</source>
        <translation>Optionen</translation>
    </message>
    <message>
        <source>Engine options</source>
        <translation>Engine-Optionen</translation>
    </message>
    <message>
        <source>Replicas and pipeline</source>
        <translation>Replikas und Pipeline</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>As text</source>
        <translation>Als Text</translation>
    </message>
    <message>
        <source>Open or make a project to configure the system it runs on.</source>
        <translation>Öffnen Sie ein Projekt oder legen Sie eines an, um das System zu konfigurieren, auf dem es läuft.</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ConfusionMatrix</name>
    <message>
        <source>Confusion matrix</source>
        <translation>Konfusionsmatrix</translation>
    </message>
    <message>
        <source>taken for class</source>
        <translation>gehalten für Klasse</translation>
    </message>
    <message>
        <source>true class</source>
        <translation>wahre Klasse</translation>
    </message>
    <message>
        <source>%1 of %2 samples right in %3 classes</source>
        <translation>%1 von %2 Beispielen richtig in %3 Klassen</translation>
    </message>
    <message>
        <source>%1 of the %2 samples of class %3 taken for class %4 (%5)</source>
        <translation>%1 der %2 Beispiele der Klasse %3 für Klasse %4 gehalten (%5)</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ConsoleModel</name>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Component</source>
        <translation>Komponente</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Gegenstand</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ConsoleView</name>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>Filter: words, -not, a,b, level=error, /pattern/</source>
        <translation>Filter: Wörter, -nicht, a,b, level=error, /Muster/</translation>
    </message>
    <message>
        <source>Filter of messages</source>
        <translation>Filter der Meldungen</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Stay at the newest line (End)</source>
        <translation>Bei der neuesten Zeile bleiben (Ende)</translation>
    </message>
    <message>
        <source>Levels</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>Which levels are shown</source>
        <translation>Welche Stufen gezeigt werden</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Quellen</translation>
    </message>
    <message>
        <source>Which components are shown</source>
        <translation>Welche Komponenten gezeigt werden</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Copy, save, clear and layout of the messages</source>
        <translation>Meldungen kopieren, speichern, leeren und darstellen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>Als JSON kopieren</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern…</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Wrap long lines</source>
        <translation>Lange Zeilen umbrechen</translation>
    </message>
    <message>
        <source>Time since the first line</source>
        <translation>Zeit seit der ersten Zeile</translation>
    </message>
    <message>
        <source>(none)</source>
        <translation>(keine)</translation>
    </message>
    <message>
        <source>Nothing has been said yet</source>
        <translation>Noch wurde nichts gesagt</translation>
    </message>
    <message>
        <source>Compiles, runs and edits are logged here.</source>
        <translation>Kompilieren, Läufe und Änderungen schreiben hier, was sie tun.</translation>
    </message>
    <message>
        <source>Save messages</source>
        <translation>Meldungen speichern</translation>
    </message>
    <message>
        <source>Text (*.log *.txt);;JSON lines (*.jsonl)</source>
        <translation>Text (*.log *.txt);;JSON-Zeilen (*.jsonl)</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Component</source>
        <translation>Komponente</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Gegenstand</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Zeiten</translation>
    </message>
</context>
<context>
    <name>tilewright::views::CurvePanel</name>
    <message>
        <source>%1: %2 at %3</source>
        <translation>%1: %2 bei %3</translation>
    </message>
    <message>
        <source>not a number</source>
        <translation>keine Zahl</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 (smoothed %2)</source>
        <translation>%1 (geglättet %2)</translation>
    </message>
</context>
<context>
    <name>tilewright::views::DataView</name>
    <message>
        <source>Data source</source>
        <translation>Datenquelle</translation>
    </message>
    <message>
        <source>Facts of the data</source>
        <translation>Angaben zu den Daten</translation>
    </message>
    <message>
        <source>Samples by class</source>
        <translation>Beispiele je Klasse</translation>
    </message>
    <message>
        <source>Open or make a project to choose its data.</source>
        <translation>Öffnen Sie ein Projekt oder legen Sie eines an, um seine Daten zu wählen.</translation>
    </message>
    <message>
        <source>Reading the data …</source>
        <translation>Daten werden gelesen …</translation>
    </message>
    <message>
        <source>Reading was cancelled: the data shown do not match the fields.</source>
        <translation>Das Lesen wurde abgebrochen: Gezeigt wird nicht, was die Felder sagen.</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>Noch einmal lesen</translation>
    </message>
    <message>
        <source>Reading the data: %1 %</source>
        <translation>Daten werden gelesen: %1 %</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>The data cannot be read</source>
        <translation>Die Daten lassen sich nicht lesen</translation>
    </message>
    <message>
        <source>Use the embedded digits</source>
        <translation>Die eingebauten Ziffern nehmen</translation>
    </message>
    <message>
        <source>The first samples</source>
        <translation>Die ersten Beispiele</translation>
    </message>
</context>
<context>
    <name>tilewright::views::DurationChart</name>
    <message>
        <source>Durations of the chosen operation&apos;s steps</source>
        <translation>Dauern der Schritte der gewählten Operation</translation>
    </message>
    <message>
        <source>cycles of a step on a tile, from</source>
        <translation>Takte eines Schritts auf einem Tile, ab</translation>
    </message>
    <message>
        <source>durations</source>
        <translation>Dauern</translation>
    </message>
    <message>
        <source>%1 of them take %2 to %3</source>
        <translation>%1 davon brauchen %2 bis %3</translation>
    </message>
</context>
<context>
    <name>tilewright::views::DurationsPane</name>
    <message>
        <source>There is nothing of it that takes cycles of tiles.</source>
        <translation>Nichts davon braucht Takte von Tiles.</translation>
    </message>
    <message>
        <source>Choose an operation to see how long its steps take.</source>
        <translation>Wählen Sie eine Operation, um zu sehen, wie lange ihre Schritte brauchen.</translation>
    </message>
    <message>
        <source>mean %1 · median %2 · 75 % up to %3 · 90 % up to %4 · 99 % up to %5 · %6 to %7 cycles</source>
        <translation>Mittel %1 · Median %2 · 75 % bis %3 · 90 % bis %4 · 99 % bis %5 · %6 bis %7 Takte</translation>
    </message>
    <message numerus="yes">
        <source>%Ln step(s)</source>
        <translation>
            <numerusform>%Ln Schritt</numerusform>
            <numerusform>%Ln Schritte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln tile(s)</source>
        <translation>
            <numerusform>%Ln Tile</numerusform>
            <numerusform>%Ln Tiles</numerusform>
        </translation>
    </message>
    <message>
        <source>Over executions and tiles: %1 durations, of %2 executions of %3 on %4. The tiles&apos; clocks measured that every execution of a step took as long.</source>
        <translation>Über Ausführungen und Tiles: %1 Dauern, aus %2 Ausführungen (%3, %4). Die Uhren der Tiles haben gemessen, dass jede Ausführung eines Schritts gleich lange brauchte.</translation>
    </message>
    <message>
        <source>Over tiles: %1 durations, of one execution of %2 on %3 (modelled). The run measured executions of different lengths; it keeps their least, mean and most, not each of them.</source>
        <translation>Über Tiles: %1 Dauern, aus einer Ausführung (%2, %3, modelliert). Der Lauf hat verschieden lange Ausführungen gemessen; er behält deren kleinste, mittlere und größte Dauer, nicht jede einzelne.</translation>
    </message>
    <message>
        <source>Over tiles: %1 durations, of one execution of %2 on %3 (modelled). This report has no executions that were measured, so none are counted.</source>
        <translation>Über Tiles: %1 Dauern, aus einer Ausführung (%2, %3, modelliert). Dieser Bericht hat keine gemessenen Ausführungen, darum werden keine gezählt.</translation>
    </message>
</context>
<context>
    <name>tilewright::views::EvidencePane</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close the evidence</source>
        <translation>Beleg schließen</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Beleg</translation>
    </message>
    <message>
        <source>Evidence: %1</source>
        <translation>Beleg: %1</translation>
    </message>
    <message>
        <source>This finding came without a query.</source>
        <translation>Dieser Hinweis kam ohne Abfrage.</translation>
    </message>
    <message>
        <source>Reading the report…</source>
        <translation>Der Bericht wird gelesen…</translation>
    </message>
    <message>
        <source>The evidence cannot be read: %1</source>
        <translation>Der Beleg lässt sich nicht lesen: %1</translation>
    </message>
    <message>
        <source>The query found no rows.</source>
        <translation>Die Abfrage fand keine Zeilen.</translation>
    </message>
    <message>
        <source>From the report file; figures modelled.</source>
        <translation>Aus der Berichtsdatei; Zahlen modelliert.</translation>
    </message>
    <message numerus="yes">
        <source>The first %Ln row(s).</source>
        <translation>
            <numerusform>Die erste Zeile.</numerusform>
            <numerusform>Die ersten %Ln Zeilen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::ExecutionPanel</name>
    <message>
        <source>Facts of what is selected</source>
        <translation>Angaben zur Auswahl</translation>
    </message>
    <message>
        <source>Tiles that others wait for</source>
        <translation>Tiles, auf die andere warten</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>Wartezeiten</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>Kritischer Pfad</translation>
    </message>
    <message>
        <source>Largest pairs of tiles</source>
        <translation>Größte Paare von Tiles</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>Verkehr</translation>
    </message>
    <message>
        <source>Bytes in and out by tile</source>
        <translation>Bytes hinein und hinaus je Tile</translation>
    </message>
    <message>
        <source>tile</source>
        <translation>Tile</translation>
    </message>
    <message>
        <source>The report has no bytes by tile.</source>
        <translation>Der Bericht hat keine Bytes je Tile.</translation>
    </message>
    <message>
        <source>Bytes by tile</source>
        <translation>Bytes je Tile</translation>
    </message>
    <message>
        <source>The report has no bytes by pair of tiles.</source>
        <translation>Der Bericht hat keine Bytes je Paar von Tiles.</translation>
    </message>
    <message numerus="yes">
        <source>The %n largest pairs of the run; %1 more between pairs the report has only as a sum.</source>
        <translation>
            <numerusform>Das größte Paar des Laufs; %1 mehr zwischen Paaren, die der Bericht nur als Summe hat.</numerusform>
            <numerusform>Die %n größten Paare des Laufs; %1 mehr zwischen Paaren, die der Bericht nur als Summe hat.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The %n largest pairs of the run.</source>
        <translation>
            <numerusform>Das größte Paar des Laufs.</numerusform>
            <numerusform>Die %n größten Paare des Laufs.</numerusform>
        </translation>
    </message>
    <message>
        <source>Tile</source>
        <translation>Tile</translation>
    </message>
    <message>
        <source>IPU</source>
        <translation>IPU</translation>
    </message>
    <message>
        <source>Cycles others waited for it</source>
        <translation>Takte, die andere darauf warteten</translation>
    </message>
    <message>
        <source>Share of all waiting</source>
        <translation>Anteil an allem Warten</translation>
    </message>
    <message>
        <source>Its own compute cycles</source>
        <translation>Eigene Rechentakte</translation>
    </message>
    <message>
        <source>Cycles it waited</source>
        <translation>Takte, die es wartete</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>Spur</translation>
    </message>
    <message>
        <source>Begins at cycle</source>
        <translation>Beginnt bei Takt</translation>
    </message>
    <message>
        <source>Cycles</source>
        <translation>Takte</translation>
    </message>
    <message>
        <source>Saved if 10 % faster</source>
        <translation>Gespart, wenn 10 % schneller</translation>
    </message>
    <message>
        <source>At most: another path may become the longest one.</source>
        <translation>Höchstens: Ein anderer Pfad kann der längste werden.</translation>
    </message>
    <message>
        <source>Slowest tile</source>
        <translation>Langsamstes Tile</translation>
    </message>
    <message>
        <source>From tile</source>
        <translation>Von Tile</translation>
    </message>
    <message>
        <source>To tile</source>
        <translation>Zu Tile</translation>
    </message>
    <message>
        <source>Bytes in the run</source>
        <translation>Bytes im Lauf</translation>
    </message>
    <message>
        <source>in</source>
        <translation>ein</translation>
    </message>
    <message>
        <source>out</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>tile %1: %2 in, %3 out</source>
        <translation>Tile %1: %2 hinein, %3 hinaus</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Step times</source>
        <translation>Schrittdauern</translation>
    </message>
    <message>
        <source>A tile&apos;s copies to itself also use its exchange port and are included.</source>
        <translation>Was ein Tile sich selbst kopiert, geht durch seinen eigenen Anschluss und wird mitgerechnet.</translation>
    </message>
    <message>
        <source>A copy within the tile: its bytes go through its own exchange port and are priced as all others (modelled).</source>
        <translation>Eine Kopie innerhalb des Tiles: ihre Bytes gehen durch seinen eigenen Anschluss und zählen wie alle anderen (modelliert).</translation>
    </message>
    <message>
        <source>Cycles of a step by phase, in both reports</source>
        <translation>Takte eines Schritts nach Phasen, in beiden Berichten</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ExecutionView</name>
    <message>
        <source>What the rows show</source>
        <translation>Was die Zeilen zeigen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Unit of the time axis</source>
        <translation>Einheit der Zeitachse</translation>
    </message>
    <message>
        <source>Cycles</source>
        <translation>Takte</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>IPU</source>
        <translation>IPU</translation>
    </message>
    <message>
        <source>Order of the tiles</source>
        <translation>Reihenfolge der Tiles</translation>
    </message>
    <message>
        <source>by number</source>
        <translation>nach Nummer</translation>
    </message>
    <message>
        <source>by place</source>
        <translation>nach Ort</translation>
    </message>
    <message>
        <source>by load</source>
        <translation>nach Last</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>IPUs</source>
        <translation>IPUs</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>Preparing the timeline …</source>
        <translation>Zeitverlauf wird vorbereitet …</translation>
    </message>
    <message>
        <source>Schedule of one weight update (modelled)</source>
        <translation>Ablauf einer Gewichtsänderung (modelliert)</translation>
    </message>
    <message>
        <source>Running now (modelled schedule)</source>
        <translation>Läuft gerade (modellierter Ablauf)</translation>
    </message>
    <message>
        <source>Adding up the activity of the tiles …</source>
        <translation>Zusammenzählen, was die Tiles tun …</translation>
    </message>
    <message>
        <source>This report has no cycles by tile.</source>
        <translation>Dieser Bericht enthält keine Takte je Tile.</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1 of %2 tiles</source>
        <translation>%1 von %2 Tiles</translation>
    </message>
    <message>
        <source>no events belong to the selection</source>
        <translation>keine Ereignisse gehören zur Auswahl</translation>
    </message>
    <message>
        <source>The program does not fit its tiles, so there is no schedule and nothing ran. Memory shows which data do not fit.</source>
        <translation>Das Programm passt nicht auf seine Tiles, also gibt es keinen Ablauf, und nichts lief. Der Speicher zeigt, was im Weg ist.</translation>
    </message>
    <message>
        <source>Show Memory</source>
        <translation>Speicher zeigen</translation>
    </message>
    <message>
        <source>%1 of %2 events belong to %3</source>
        <translation>%1 von %2 Ereignissen gehören zu %3</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>Ereignis</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Abschnitt</translation>
    </message>
    <message>
        <source>nothing here has “%1” in its name</source>
        <translation>hier hat nichts „%1“ im Namen</translation>
    </message>
    <message>
        <source>%1 of %2 events have “%3” in their name</source>
        <translation>%1 von %2 Ereignissen haben „%3“ im Namen</translation>
    </message>
    <message>
        <source>Find steps</source>
        <translation>Schritte suchen</translation>
    </message>
    <message>
        <source>Find steps by name</source>
        <translation>Schritte nach Namen suchen</translation>
    </message>
    <message>
        <source>Shows the items whose name contains this; Enter goes to the next one (Ctrl+F)</source>
        <translation>Zeigt, was dies im Namen hat; die Eingabetaste geht zum nächsten (Strg+F)</translation>
    </message>
    <message>
        <source>match %1 of %2</source>
        <translation>Treffer %1 von %2</translation>
    </message>
    <message>
        <source>%1 is not compared in these rows: it stands in Flat and in the table Compare.</source>
        <translation>%1 wird in diesen Zeilen nicht verglichen: Es steht in „Flach“ und in der Tabelle „Vergleichen“.</translation>
    </message>
</context>
<context>
    <name>tilewright::views::FactList</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>tilewright::views::FindBar</name>
    <message>
        <source>Find layers by name, class or argument</source>
        <translation>Schichten nach Name, Klasse oder Argument suchen</translation>
    </message>
    <message>
        <source>Find layers</source>
        <translation>Schichten suchen</translation>
    </message>
    <message>
        <source>Previous (Shift+Enter)</source>
        <translation>Vorige (Umschalt+Eingabe)</translation>
    </message>
    <message>
        <source>Next (Enter)</source>
        <translation>Nächste (Eingabe)</translation>
    </message>
    <message>
        <source>Close (Escape)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>nichts gefunden</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>tilewright::views::HelpView</name>
    <message>
        <source>Help page</source>
        <translation>Hilfeseite</translation>
    </message>
    <message>
        <source>Pages found</source>
        <translation>Gefundene Seiten</translation>
    </message>
    <message>
        <source>Back (Backspace)</source>
        <translation>Zurück (Rücktaste)</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Search the help</source>
        <translation>In der Hilfe suchen</translation>
    </message>
    <message>
        <source>Previous lesson</source>
        <translation>Vorige Lektion</translation>
    </message>
    <message>
        <source>Next lesson</source>
        <translation>Nächste Lektion</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Erledigt</translation>
    </message>
    <message>
        <source>Marks this lesson as done in the list of lessons</source>
        <translation>Merkt diese Lektion in der Liste der Lektionen als erledigt vor</translation>
    </message>
    <message>
        <source>What is this, and how do I use it?</source>
        <translation>Was ist das, und wie benutze ich es?</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>Neues Projekt</translation>
    </message>
    <message>
        <source>“%1” has changes that are not saved. Leave them and make the lesson&apos;s project?</source>
        <translation>„%1“ hat Änderungen, die nicht gespeichert sind. Sollen sie verworfen und das Projekt der Lektion angelegt werden?</translation>
    </message>
    <message>
        <source>Nothing in the help has all of these words.</source>
        <translation>In der Hilfe kommt keine Seite vor, die alle diese Wörter hat.</translation>
    </message>
</context>
<context>
    <name>tilewright::views::HistoryView</name>
    <message>
        <source>Differences only</source>
        <translation>Nur Unterschiede</translation>
    </message>
    <message>
        <source>Hides columns that are the same for all runs</source>
        <translation>Verbirgt Spalten, die bei allen Läufen gleich sind</translation>
    </message>
    <message>
        <source>Open report…</source>
        <translation>Bericht öffnen…</translation>
    </message>
    <message>
        <source>Adds a report from elsewhere to the list</source>
        <translation>Fügt der Liste einen Bericht von anderswo hinzu</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Open report</source>
        <translation>Bericht öffnen</translation>
    </message>
    <message>
        <source>Reports (*.twreport)</source>
        <translation>Berichte (*.twreport)</translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation>Noch keine Läufe</translation>
    </message>
    <message>
        <source>Runs of this project appear here as soon as it is compiled or trained.</source>
        <translation>Läufe dieses Projekts erscheinen hier, sobald es kompiliert oder trainiert wird.</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>shown: %1</source>
        <translation>gezeigt: %1</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 gegen %2</translation>
    </message>
    <message>
        <source>Restore the project of run %1</source>
        <translation>Das Projekt von Lauf %1 wiederherstellen</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message numerus="yes">
        <source>%Ln run(s)</source>
        <translation>
            <numerusform>%Ln Lauf</numerusform>
            <numerusform>%Ln Läufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln compile(s) without a run</source>
        <translation>
            <numerusform>%Ln Kompilierung ohne Lauf</numerusform>
            <numerusform>%Ln Kompilierungen ohne Lauf</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln report(s)</source>
        <translation>
            <numerusform>%Ln Bericht</numerusform>
            <numerusform>%Ln Berichte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln difference(s) from the first</source>
        <translation>
            <numerusform>%Ln Unterschied zum ersten</numerusform>
            <numerusform>%Ln Unterschiede zum ersten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more not shown</source>
        <translation>
            <numerusform>%Ln weiterer nicht gezeigt</numerusform>
            <numerusform>%Ln weitere nicht gezeigt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln run(s) compared</source>
        <translation>
            <numerusform>%Ln Lauf verglichen</numerusform>
            <numerusform>%Ln Läufe verglichen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln report(s) compared</source>
        <translation>
            <numerusform>%Ln Bericht verglichen</numerusform>
            <numerusform>%Ln Berichte verglichen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::InsightCard</name>
    <message>
        <source>suppressed</source>
        <translation>unterdrückt</translation>
    </message>
    <message>
        <source>About %1</source>
        <translation>Über %1</translation>
    </message>
    <message>
        <source>Shows it in its view</source>
        <translation>Zeigt es in seiner Ansicht</translation>
    </message>
    <message>
        <source>Suppressed: %1</source>
        <translation>Unterdrückt: %1</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Makes the change as one step that can be undone (A)</source>
        <translation>Macht die Änderung als einen Schritt, der sich rückgängig machen lässt (A)</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Beleg</translation>
    </message>
    <message>
        <source>Shows the rows that prove it (Enter)</source>
        <translation>Zeigt die Zeilen, die es belegen (Eingabe)</translation>
    </message>
    <message>
        <source>Show again</source>
        <translation>Wieder zeigen</translation>
    </message>
    <message>
        <source>Ends the suppression (S)</source>
        <translation>Beendet die Unterdrückung (S)</translation>
    </message>
    <message>
        <source>Suppress…</source>
        <translation>Unterdrücken…</translation>
    </message>
    <message>
        <source>Hides it in this project, with a reason (S)</source>
        <translation>Verbirgt es in diesem Projekt, mit einer Begründung (S)</translation>
    </message>
    <message>
        <source>Why it does not matter; Enter keeps it in the project</source>
        <translation>Warum es nicht wichtig ist; die Eingabetaste behält es im Projekt</translation>
    </message>
    <message>
        <source>Reason for suppressing</source>
        <translation>Grund der Unterdrückung</translation>
    </message>
    <message>
        <source>Suppress</source>
        <translation>Unterdrücken</translation>
    </message>
</context>
<context>
    <name>tilewright::views::InsightsView</name>
    <message>
        <source>Show suppressed</source>
        <translation>Unterdrückte zeigen</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>Kompilieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>No report yet: findings come with a compile</source>
        <translation>Noch kein Bericht: Hinweise kommen mit dem Kompilieren</translation>
    </message>
    <message>
        <source>Show suppressed (%1)</source>
        <translation>Unterdrückte zeigen (%1)</translation>
    </message>
    <message>
        <source>All findings are suppressed.</source>
        <translation>Alle Hinweise sind unterdrückt.</translation>
    </message>
    <message>
        <source>No rule found anything worth changing.</source>
        <translation>Keine Regel fand etwas, das zu ändern sich lohnte.</translation>
    </message>
    <message>
        <source>Cured since the baseline</source>
        <translation>Seit der Vergleichsbasis behoben</translation>
    </message>
    <message>
        <source>Open the project to apply its change.</source>
        <translation>Öffnen Sie das Projekt, um die Änderung anzuwenden.</translation>
    </message>
    <message>
        <source>The project already has this change; compile to see its effect.</source>
        <translation>Das Projekt hat diese Änderung schon; kompilieren Sie, um ihre Wirkung zu sehen.</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>%1 ändern</translation>
    </message>
    <message>
        <source>This change is refused: %1</source>
        <translation>Diese Änderung wird abgelehnt: %1</translation>
    </message>
    <message>
        <source>Apply: %1</source>
        <translation>Anwenden: %1</translation>
    </message>
    <message>
        <source>Applied %1. Compile to see what it brings; Undo takes it back.</source>
        <translation>%1 angewendet. Kompilieren zeigt, was es bringt; Rückgängig nimmt es zurück.</translation>
    </message>
    <message>
        <source>Suppressions are kept in the project: open it first.</source>
        <translation>Unterdrückungen stehen im Projekt: Öffnen Sie es zuerst.</translation>
    </message>
    <message>
        <source>%1 of %2 findings concern %3</source>
        <translation>%1 von %2 Hinweisen betreffen %3</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Schwere</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Gegenstand</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>Erklärung</translation>
    </message>
    <message>
        <source>Gain in cycles (modelled)</source>
        <translation>Gewinn in Takten (modelliert)</translation>
    </message>
    <message>
        <source>Gain in bytes (modelled)</source>
        <translation>Gewinn in Byte (modelliert)</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Maßnahme</translation>
    </message>
    <message>
        <source>Trend</source>
        <translation>Tendenz</translation>
    </message>
    <message>
        <source>Suppressed</source>
        <translation>Unterdrückt</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Beleg</translation>
    </message>
    <message>
        <source>The project has changed since: compile it to update the advice.</source>
        <translation>Das Projekt hat sich seitdem geändert: Kompilieren zeigt, was jetzt helfen würde.</translation>
    </message>
    <message>
        <source>Trying changes that make it fit …</source>
        <translation>Es wird probiert, womit es passen würde …</translation>
    </message>
    <message>
        <source>No number of tiles, share of memory, batch size or pipeline stages that was tried makes it fit.</source>
        <translation>Keine der probierten Zahlen von Tiles, Speicheranteile, Batch-Größen oder Pipeline-Stufen macht es passend.</translation>
    </message>
    <message>
        <source>Tried by compiles; Apply makes the first change:</source>
        <translation>Durch Kompilieren probiert; Anwenden macht die erste Änderung:</translation>
    </message>
    <message>
        <source>Trying it …</source>
        <translation>Wird probiert …</translation>
    </message>
    <message>
        <source>No value of this kind goes with the data and the plan as they are.</source>
        <translation>Kein Wert dieser Art passt zu Daten und Plan, wie sie sind.</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Shows or hides the use of IPUs and tiles and its largest consumers</source>
        <translation>Zeigt oder verbirgt, was IPUs und Tiles benutzen und was am meisten davon nimmt</translation>
    </message>
    <message>
        <source>Shows that tile in Memory</source>
        <translation>Zeigt dieses Tile im Speicher</translation>
    </message>
    <message>
        <source>No setting of the project changes this by itself.</source>
        <translation>Keine Einstellung des Projekts ändert das allein.</translation>
    </message>
    <message>
        <source>Tried by compiles, without a gain:</source>
        <translation>Durch Kompilieren erprobt, ohne Gewinn:</translation>
    </message>
    <message>
        <source>Tried by a compile: %1</source>
        <translation>Durch Kompilieren erprobt: %1</translation>
    </message>
    <message>
        <source>Also tried:</source>
        <translation>Auch erprobt:</translation>
    </message>
</context>
<context>
    <name>tilewright::views::InspectorView</name>
    <message>
        <source>Properties</source>
        <translation>Eigenschaften</translation>
    </message>
    <message>
        <source>Derived values</source>
        <translation>Abgeleitete Werte</translation>
    </message>
    <message>
        <source>Facts of the selection</source>
        <translation>Angaben zur Auswahl</translation>
    </message>
    <message>
        <source>To silicon</source>
        <translation>Bis zum Silizium</translation>
    </message>
    <message>
        <source>There is no option of this name.</source>
        <translation>Eine Option dieses Namens gibt es nicht.</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Worum es geht</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>leer</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Deprecated</source>
        <translation>Überholt</translation>
    </message>
    <message>
        <source>Show it among all options</source>
        <translation>Unter allen Optionen zeigen</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation>Nichts ausgewählt</translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation>Tiles</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>Open a project or a report; what you select in any view is explained here.</source>
        <translation>Öffnen Sie ein Projekt oder einen Bericht; was Sie in einer Ansicht auswählen, wird hier erklärt.</translation>
    </message>
    <message>
        <source>This value comes from a report. Compile the project to get one.</source>
        <translation>Das weiß nur ein Bericht. Kompilieren Sie das Projekt, um einen zu bekommen.</translation>
    </message>
    <message>
        <source>The project of this report is not open: its fields cannot be changed.</source>
        <translation>Das Projekt dieses Berichts ist nicht offen: Seine Felder lassen sich nicht ändern.</translation>
    </message>
    <message>
        <source>Reading the report …</source>
        <translation>Der Bericht wird gelesen …</translation>
    </message>
    <message>
        <source>Compile the project to see what the layer becomes: operations, tiles, cycles, bytes.</source>
        <translation>Kompilieren Sie das Projekt, um zu sehen, was aus der Schicht wird: Operationen, Tiles, Takte, Bytes.</translation>
    </message>
    <message>
        <source>The report on show does not know this layer: it was made before the layer was added. Compile again.</source>
        <translation>Der gezeigte Bericht kennt diese Schicht nicht: Er entstand, bevor sie hinzukam. Kompilieren Sie noch einmal.</translation>
    </message>
</context>
<context>
    <name>tilewright::views::JsonPane</name>
    <message>
        <source>Keras JSON of the model</source>
        <translation>Keras-JSON des Modells</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Make this the model; can be undone</source>
        <translation>Dies zum Modell machen; lässt sich rückgängig machen</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Show the model as it is</source>
        <translation>Das Modell zeigen, wie es ist</translation>
    </message>
    <message>
        <source>The model has changed meanwhile: Apply replaces it, Reset shows it.</source>
        <translation>Das Modell hat sich inzwischen geändert: Anwenden ersetzt es, Zurücksetzen zeigt es.</translation>
    </message>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation>Zeile %1, Spalte %2: %3</translation>
    </message>
    <message>
        <source>Edit JSON</source>
        <translation>JSON ändern</translation>
    </message>
    <message>
        <source>Applied.</source>
        <translation>Angewendet.</translation>
    </message>
</context>
<context>
    <name>tilewright::views::LanesWidget</name>
    <message>
        <source>Lanes of events over time</source>
        <translation>Spuren der Ereignisse über der Zeit</translation>
    </message>
    <message>
        <source>No event selected. Comma and period step through events, question mark lists all keys.</source>
        <translation>Kein Ereignis ausgewählt. Komma und Punkt gehen durch die Ereignisse, das Fragezeichen zeigt alle Tasten.</translation>
    </message>
    <message>
        <source>, .	previous, next event in the lane</source>
        <translation>, .	voriges, nächstes Ereignis der Spur</translation>
    </message>
    <message>
        <source>[ ]	previous, next of the same name</source>
        <translation>[ ]	voriges, nächstes gleichen Namens</translation>
    </message>
    <message>
        <source>Up, Down	other lane</source>
        <translation>Hoch, Runter	andere Spur</translation>
    </message>
    <message>
        <source>Space	fold or unfold</source>
        <translation>Leertaste	ein- oder aufklappen</translation>
    </message>
    <message>
        <source>P, H	pin, hide lane (Shift+H: show all)</source>
        <translation>P, H	Spur anheften, verbergen (Umschalt+H: alle zeigen)</translation>
    </message>
    <message>
        <source>drag a lane&apos;s border	its height</source>
        <translation>Rand einer Spur ziehen	ihre Höhe</translation>
    </message>
    <message>
        <source>%1: mean %2, at most %3 %4</source>
        <translation>%1: im Mittel %2, höchstens %3 %4</translation>
    </message>
    <message numerus="yes">
        <source>%Ln events here; the longest:</source>
        <translation>
            <numerusform>%Ln Ereignis hier; das längste:</numerusform>
            <numerusform>%Ln Ereignisse hier; das längste:</numerusform>
        </translation>
    </message>
    <message>
        <source>No event selected</source>
        <translation>Kein Ereignis ausgewählt</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
    <message>
        <source>Fit what is here</source>
        <translation>Einpassen, was hier ist</translation>
    </message>
    <message>
        <source>Statistics for this range</source>
        <translation>Statistik dieses Bereichs</translation>
    </message>
    <message>
        <source>Unpin lane</source>
        <translation>Spur loslassen</translation>
    </message>
    <message>
        <source>Pin lane</source>
        <translation>Spur anheften</translation>
    </message>
    <message>
        <source>Hide lane</source>
        <translation>Spur verbergen</translation>
    </message>
    <message>
        <source>Show all lanes</source>
        <translation>Alle Spuren zeigen</translation>
    </message>
    <message>
        <source>Zoom back</source>
        <translation>Vorige Vergrößerung</translation>
    </message>
    <message>
        <source>Show all time</source>
        <translation>Die ganze Zeit zeigen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more lane(s)</source>
        <translation>
            <numerusform>%Ln weitere Spur</numerusform>
            <numerusform>%Ln weitere Spuren</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::LegendBar</name>
    <message>
        <source>Hide %1</source>
        <translation>%1 verbergen</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
    <message>
        <source>Curve %1, shown</source>
        <translation>Kurve %1, gezeigt</translation>
    </message>
    <message>
        <source>Curve %1, hidden</source>
        <translation>Kurve %1, verborgen</translation>
    </message>
    <message>
        <source>Bars %1, shown</source>
        <translation>Balken %1, gezeigt</translation>
    </message>
    <message>
        <source>Bars %1, hidden</source>
        <translation>Balken %1, verborgen</translation>
    </message>
</context>
<context>
    <name>tilewright::views::LifeBars</name>
    <message>
        <source>Lives of the chosen variables</source>
        <translation>Lebenszeiten der gewählten Variablen</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>always live</source>
        <translation>immer live</translation>
    </message>
    <message>
        <source>live at liveness steps %1</source>
        <translation>live in den Liveness-Schritten %1</translation>
    </message>
    <message>
        <source>%1
%2
last used at liveness step %3</source>
        <translation>%1
%2
zuletzt benutzt in Liveness-Schritt %3</translation>
    </message>
</context>
<context>
    <name>tilewright::views::LivenessWidget</name>
    <message>
        <source>all tiles</source>
        <translation>alle Tiles</translation>
    </message>
    <message>
        <source>IPU %1</source>
        <translation>IPU %1</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>cycles of one pass through the program (modelled)</source>
        <translation>Takte eines Gangs durch das Programm (modelliert)</translation>
    </message>
    <message>
        <source>liveness step</source>
        <translation>Liveness-Schritt</translation>
    </message>
    <message>
        <source>%1 live, %2 of it always · born %3 · dying after it %4</source>
        <translation>%1 live, davon %2 immer · %3 entstehen · %4 enden danach</translation>
    </message>
    <message>
        <source>Difference (Ctrl+click a step)</source>
        <translation>Unterschied (Strg+Klick auf einen Schritt)</translation>
    </message>
    <message>
        <source>Difference %1 → %2</source>
        <translation>Unterschied %1 → %2</translation>
    </message>
    <message>
        <source>%1 has no liveness step in this report.</source>
        <translation>%1 hat in diesem Bericht keinen Liveness-Schritt.</translation>
    </message>
    <message>
        <source>%1 live</source>
        <translation>%1 live</translation>
    </message>
    <message>
        <source>live bytes</source>
        <translation>live Bytes</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>live</source>
        <translation>live</translation>
    </message>
    <message>
        <source>Bytes of</source>
        <translation>Bytes von</translation>
    </message>
    <message>
        <source>Broken down by</source>
        <translation>Zerlegt nach</translation>
    </message>
    <message>
        <source>Axis</source>
        <translation>Achse</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>cycles (modelled)</source>
        <translation>Takte (modelliert)</translation>
    </message>
    <message>
        <source>Next peak</source>
        <translation>Nächste Spitze</translation>
    </message>
    <message>
        <source>Go to the next local maximum (P; with Shift the one before)</source>
        <translation>Zum nächsten örtlichen Höchstwert gehen (P; mit Umschalt zum vorigen)</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>Scale the chart so that the memory there is shows (L)</source>
        <translation>Das Bild so skalieren, dass man den vorhandenen Speicher sieht (L)</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>Ausschließen</translation>
    </message>
    <message>
        <source>Show the curve without the variables selected in the table (Delete)</source>
        <translation>Die Kurve ohne die in der Tabelle gewählten Variablen zeigen (Entf)</translation>
    </message>
    <message>
        <source>Include all</source>
        <translation>Alle einbeziehen</translation>
    </message>
    <message>
        <source>Count all variables again</source>
        <translation>Alle Variablen wieder zählen</translation>
    </message>
    <message>
        <source>Live bytes by liveness step</source>
        <translation>Live Bytes je Liveness-Schritt</translation>
    </message>
    <message>
        <source>This report holds no lifetimes.</source>
        <translation>Dieser Bericht sagt nichts über Lebensdauern.</translation>
    </message>
    <message>
        <source>Live at the step</source>
        <translation>In dem Schritt live</translation>
    </message>
    <message>
        <source>Born</source>
        <translation>Entsteht</translation>
    </message>
    <message>
        <source>Dying</source>
        <translation>Enden</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>Peaks</source>
        <translation>Spitzen</translation>
    </message>
    <message>
        <source>%1 (modelled)</source>
        <translation>%1 (modelliert)</translation>
    </message>
    <message>
        <source>Tables of the step</source>
        <translation>Tabellen des Schritts</translation>
    </message>
    <message>
        <source>Compared</source>
        <translation>Verglichen</translation>
    </message>
    <message>
        <source>%1: click to go back to all layers</source>
        <translation>%1: Klicken führt zurück zu allen Schichten</translation>
    </message>
    <message>
        <source>%1: click to see its variables</source>
        <translation>%1: Klicken zeigt ihre Variablen</translation>
    </message>
    <message>
        <source>%1: click to show or hide</source>
        <translation>%1: Klicken zeigt oder verbirgt es</translation>
    </message>
    <message>
        <source>Liveness step %1: %2</source>
        <translation>Liveness-Schritt %1: %2</translation>
    </message>
    <message>
        <source>%1: %2 of %3 liveness steps, %4 of %5 variables</source>
        <translation>%1: %2 von %3 Liveness-Schritten, %4 von %5 Variablen</translation>
    </message>
    <message>
        <source>liveness step %1: %2</source>
        <translation>Liveness-Schritt %1: %2</translation>
    </message>
    <message>
        <source>Overview of all steps</source>
        <translation>Übersicht über alle Schritte</translation>
    </message>
    <message>
        <source>Steps by name</source>
        <translation>Schritte nach Namen</translation>
    </message>
    <message>
        <source>Filter of steps by name</source>
        <translation>Filter der Schritte nach Namen</translation>
    </message>
    <message>
        <source>Shows only steps whose name, kind, layer, pass or stage fits: words, -not, a,b, /pattern/</source>
        <translation>Zeigt nur Schritte, deren Name, Art, Schicht, Durchgang oder Stufe passt: Wörter, -nicht, a,b, /Muster/</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoom</translation>
    </message>
    <message>
        <source>Zoom in percent</source>
        <translation>Zoom in Prozent</translation>
    </message>
    <message>
        <source>How much the steps are stretched; 100 % shows all of them. The chosen step stays in sight.</source>
        <translation>Wie weit die Schritte gestreckt sind; 100 % zeigt alle. Der gewählte Schritt bleibt zu sehen.</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Show all steps</source>
        <translation>Alle Schritte zeigen</translation>
    </message>
    <message>
        <source>Shows all steps again (F)</source>
        <translation>Zeigt wieder alle Schritte (F)</translation>
    </message>
    <message>
        <source>%1 of %2 steps</source>
        <translation>%1 von %2 Schritten</translation>
    </message>
    <message>
        <source>cycles of the steps shown (modelled)</source>
        <translation>Takte der gezeigten Schritte (modelliert)</translation>
    </message>
    <message>
        <source>No step has a name like that.</source>
        <translation>Kein Schritt heißt so.</translation>
    </message>
    <message numerus="yes">
        <source>%1 vertex(es)</source>
        <translation>
            <numerusform>%1 Vertex</numerusform>
            <numerusform>%1 Vertices</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::MachinePanels</name>
    <message>
        <source>seconds here</source>
        <translation>Sekunden hier</translation>
    </message>
    <message>
        <source>Of the %1 of one weight update; every update is alike.</source>
        <translation>Eine Gewichtsänderung: %1; jede ist wie die andere.</translation>
    </message>
    <message>
        <source>Reading the schedule…</source>
        <translation>Der Ablauf wird gelesen…</translation>
    </message>
    <message>
        <source>Known once the program has been compiled for an IPU.</source>
        <translation>Bekannt, sobald das Programm für eine IPU kompiliert ist.</translation>
    </message>
    <message>
        <source>IPU %1</source>
        <translation>IPU %1</translation>
    </message>
    <message>
        <source>Steps per second, measured here</source>
        <translation>Schritte je Sekunde, hier gemessen</translation>
    </message>
    <message>
        <source>Exchanges move %1 in a step, %2 a second of the device&apos;s clock (modelled).</source>
        <translation>Austausche bewegen %1 in einem Schritt, %2 je Sekunde der Geräteuhr (modelliert).</translation>
    </message>
    <message>
        <source>Exchanges move %1 in a step (modelled).</source>
        <translation>Austausche bewegen %1 in einem Schritt (modelliert).</translation>
    </message>
    <message>
        <source>steps per second</source>
        <translation>Schritte je Sekunde</translation>
    </message>
    <message>
        <source>Streams move %1.</source>
        <translation>Streams bewegen %1.</translation>
    </message>
    <message>
        <source>The stages wait for: %1.</source>
        <translation>Worauf die Stufen warten: %1.</translation>
    </message>
    <message>
        <source>%1 (%2), %3</source>
        <translation>%1 (%2), %3</translation>
    </message>
    <message>
        <source>Utilisation by IPU</source>
        <translation>Auslastung je IPU</translation>
    </message>
    <message>
        <source>Utilisation by IPU, %1</source>
        <translation>Auslastung je IPU, %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>tilewright::views::MachinePicture</name>
    <message>
        <source>Picture of the system</source>
        <translation>Bild des Systems</translation>
    </message>
    <message>
        <source>IPU %1, board %2</source>
        <translation>IPU %1, Platine %2</translation>
    </message>
    <message>
        <source>not used by this model</source>
        <translation>von diesem Modell nicht benutzt</translation>
    </message>
    <message>
        <source>replica %1</source>
        <translation>Replika %1</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>R%1</source>
        <comment>replica</comment>
        <translation>R%1</translation>
    </message>
    <message>
        <source>S%1</source>
        <comment>stage</comment>
        <translation>S%1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln IPU(s)</source>
        <translation>
            <numerusform>%Ln IPU</numerusform>
            <numerusform>%Ln IPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln tile(s) of %1</source>
        <translation>
            <numerusform>%Ln Tile mit %1</numerusform>
            <numerusform>%Ln Tiles mit je %1</numerusform>
        </translation>
    </message>
    <message>
        <source>stages %1</source>
        <translation>Stufen %1</translation>
    </message>
</context>
<context>
    <name>tilewright::views::MemoryControls</name>
    <message>
        <source>0-63, ipu1, &gt;600k, worst</source>
        <translation>0-63, ipu1, &gt;600k, worst</translation>
    </message>
    <message>
        <source>Tiles by text: 7 · 0-63 · ipu3 · ipu3:0-63 · &gt;600k · &gt;90% · worst · io · all. Commas add, a minus takes away.</source>
        <translation>Tiles als Text: 7 · 0-63 · ipu3 · ipu3:0-63 · &gt;600k · &gt;90% · worst · io · all. Kommas fügen hinzu, ein Minus nimmt weg.</translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation>Tiles</translation>
    </message>
    <message>
        <source>the whole program</source>
        <translation>das ganze Programm</translation>
    </message>
    <message>
        <source>what is live at the step</source>
        <translation>was in dem Schritt live ist</translation>
    </message>
    <message>
        <source>chosen variables</source>
        <translation>gewählte Variablen</translation>
    </message>
    <message>
        <source>bytes received</source>
        <translation>empfangene Bytes</translation>
    </message>
    <message>
        <source>bytes sent</source>
        <translation>gesendete Bytes</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Broken down by</source>
        <translation>Zerlegt nach</translation>
    </message>
    <message>
        <source>by number</source>
        <translation>nach Nummer</translation>
    </message>
    <message>
        <source>by place on the die</source>
        <translation>nach Ort auf dem Chip</translation>
    </message>
    <message>
        <source>largest first</source>
        <translation>größte zuerst</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>linear</translation>
    </message>
    <message>
        <source>logarithmic</source>
        <translation>logarithmisch</translation>
    </message>
    <message>
        <source>share of the limit</source>
        <translation>Anteil an der Grenze</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>IPUs</source>
        <translation>IPUs</translation>
    </message>
    <message>
        <source>Gaps</source>
        <translation>Lücken</translation>
    </message>
    <message>
        <source>Count unused bytes between used ones (G)</source>
        <translation>Unbenutzte Bytes zwischen benutzten mitzählen (G)</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>Scale the profile so that the limit of a tile shows (L)</source>
        <translation>Das Profil so skalieren, dass man die Grenze eines Tiles sieht (L)</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Show differences to the report this one is compared with</source>
        <translation>Unterschiede zu dem Bericht zeigen, mit dem dieser verglichen wird</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>IPU %1</source>
        <translation>IPU %1</translation>
    </message>
    <message>
        <source>Show differences to %1</source>
        <translation>Unterschiede zu %1 zeigen</translation>
    </message>
    <message>
        <source>There is no other report to compare with: compile again, or choose one in the history.</source>
        <translation>Es gibt keinen anderen Bericht zum Vergleichen: Kompilieren Sie noch einmal, oder wählen Sie einen bei den Läufen.</translation>
    </message>
</context>
<context>
    <name>tilewright::views::MemoryPanel</name>
    <message>
        <source>Memory of the tiles</source>
        <translation>Speicher der Tiles</translation>
    </message>
    <message>
        <source>Memory used by IPU</source>
        <translation>Benutzter Speicher je IPU</translation>
    </message>
    <message>
        <source>Gaps</source>
        <translation>Lücken</translation>
    </message>
    <message>
        <source>Count unused bytes between used ones: how far a tile reaches decides whether it fits</source>
        <translation>Zählt unbenutzte Bytes zwischen benutzten mit: Wie weit ein Tile reicht, entscheidet, ob es passt</translation>
    </message>
    <message>
        <source>Click a bar or draw a box to select its tiles everywhere; with Ctrl they are added.</source>
        <translation>Klicken Sie auf einen Balken oder ziehen Sie über mehrere, um ihre Tiles überall auszuwählen; mit Strg kommen sie hinzu.</translation>
    </message>
    <message>
        <source>How many of the worst and the largest are listed</source>
        <translation>Wie viele der vollsten und größten aufgezählt werden</translation>
    </message>
    <message>
        <source>Worst tiles</source>
        <translation>Vollste Tiles</translation>
    </message>
    <message>
        <source>Enter or double click opens the tile in Memory.</source>
        <translation>Eingabetaste oder Doppelklick öffnet das Tile im Speicher.</translation>
    </message>
    <message>
        <source>What is listed by size</source>
        <translation>Was nach Größe aufgezählt wird</translation>
    </message>
    <message>
        <source>Tiles that count</source>
        <translation>Tiles, die zählen</translation>
    </message>
    <message>
        <source>Largest of what is chosen</source>
        <translation>Größte von dem, was gewählt ist</translation>
    </message>
    <message>
        <source>Tiles by the memory they use, with gaps</source>
        <translation>Tiles nach benutztem Speicher, mit Lücken</translation>
    </message>
    <message>
        <source>Tiles by the memory they use</source>
        <translation>Tiles nach benutztem Speicher</translation>
    </message>
    <message>
        <source>There is nothing of the kind.</source>
        <translation>Es gibt nichts dergleichen.</translation>
    </message>
    <message numerus="yes">
        <source>%1 of the memory of %Ln IPU(s) used</source>
        <translation>
            <numerusform>%1 des Speichers von %Ln IPU benutzt</numerusform>
            <numerusform>%1 des Speichers von %Ln IPUs benutzt</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of the IPU&apos;s memory used</source>
        <translation>%1 des IPU-Speichers benutzt</translation>
    </message>
    <message>
        <source>%1 · worst tile %2: %3</source>
        <translation>%1 · vollstes Tile %2: %3</translation>
    </message>
    <message>
        <source>%1 · does not fit, worst tile %2: %3</source>
        <translation>%1 · passt nicht, vollstes Tile %2: %3</translation>
    </message>
    <message>
        <source>From bytes</source>
        <translation>Ab Bytes</translation>
    </message>
    <message>
        <source>To bytes</source>
        <translation>Bis Bytes</translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation>Tiles</translation>
    </message>
</context>
<context>
    <name>tilewright::views::MemoryWidget</name>
    <message>
        <source>%1 has no bytes on the tiles of this report.</source>
        <translation>%1 hat auf den Tiles dieses Berichts keine Bytes.</translation>
    </message>
    <message>
        <source>%1: %2 of %3 tiles, %4 of %5 variables</source>
        <translation>%1: %2 von %3 Tiles, %4 von %5 Variablen</translation>
    </message>
    <message>
        <source>%1 of %2 tiles chosen</source>
        <translation>%1 von %2 Tiles gewählt</translation>
    </message>
    <message>
        <source>%1: addresses down, liveness steps across (modelled). Click for a step, Ctrl+wheel to zoom, G for gaps to scale.</source>
        <translation>%1: Adressen nach unten, Liveness-Schritte nach rechts (modelliert). Klicken wählt einen Schritt, Strg+Rad vergrößert, G zeigt Lücken maßstäblich.</translation>
    </message>
    <message>
        <source>Choose a tile to see how its content differs from the others.</source>
        <translation>Wählen Sie ein Tile, um zu sehen, was es mehr enthält als andere.</translation>
    </message>
    <message>
        <source>Tile %1 and the median tile %2 have the same content.</source>
        <translation>Tile %1 enthält genau das, was das mittlere Tile %2 enthält.</translation>
    </message>
    <message>
        <source>Tile %1 against the median tile of its IPU, %2. Bytes of a variable count in full, also where others use the same addresses at other times.</source>
        <translation>Tile %1 gegen das mittlere Tile seiner IPU, %2. Die Bytes einer Variablen zählen ganz, auch wo andere zu anderer Zeit dieselben Adressen benutzen.</translation>
    </message>
    <message>
        <source>tiles</source>
        <translation>Tiles</translation>
    </message>
    <message>
        <source>tile</source>
        <translation>Tile</translation>
    </message>
    <message>
        <source>bytes shown</source>
        <translation>gezeigte Bytes</translation>
    </message>
    <message>
        <source>What to change</source>
        <translation>Was zu ändern wäre</translation>
    </message>
    <message>
        <source>Shows the findings of this report with edits that would help</source>
        <translation>Zeigt die Hinweise dieses Berichts mit Änderungen, die helfen würden</translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation>Tiles</translation>
    </message>
    <message>
        <source>Addresses</source>
        <translation>Adressen</translation>
    </message>
    <message>
        <source>Tiles by step</source>
        <translation>Tiles je Schritt</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Why this tile</source>
        <translation>Warum dieses Tile</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>Compute sets</source>
        <translation>Compute-Sets</translation>
    </message>
    <message>
        <source>Vertices</source>
        <translation>Vertices</translation>
    </message>
    <message>
        <source>Exchanges</source>
        <translation>Austausche</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Pictures of the memory</source>
        <translation>Bilder des Speichers</translation>
    </message>
    <message>
        <source>Tables of the chosen tiles</source>
        <translation>Tabellen der gewählten Tiles</translation>
    </message>
    <message>
        <source>%1 tiles, none chosen</source>
        <translation>%1 Tiles, keines ausgewählt</translation>
    </message>
</context>
<context>
    <name>tilewright::views::MetricList</name>
    <message>
        <source>The accuracy that suits labels and outputs: binary, categorical or sparse.</source>
        <translation>Die Genauigkeit, die zu Labels und Ausgängen passt: binär, kategorial oder sparse.</translation>
    </message>
    <message>
        <source>The crossentropy that suits labels and outputs.</source>
        <translation>Die Kreuzentropie, die zu Labels und Ausgängen passt.</translation>
    </message>
    <message>
        <source>&amp;Metrics</source>
        <translation>&amp;Metriken</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
    <message>
        <source>Tick what is to be measured in training and validation.</source>
        <translation>Kreuzen Sie an, was in Training und Validierung gemessen werden soll.</translation>
    </message>
    <message>
        <source>Change metrics</source>
        <translation>Metriken ändern</translation>
    </message>
    <message>
        <source>Output of the model</source>
        <translation>Ausgang des Modells</translation>
    </message>
    <message>
        <source>All outputs</source>
        <translation>Alle Ausgänge</translation>
    </message>
    <message>
        <source>Whose metrics are ticked below: those that all outputs have, or those of one.</source>
        <translation>Wessen Metriken unten angekreuzt sind: die, die alle Ausgänge haben, oder die eines einzelnen.</translation>
    </message>
</context>
<context>
    <name>tilewright::views::MonitorView</name>
    <message>
        <source>IPUs</source>
        <translation>IPUs</translation>
    </message>
    <message>
        <source>Attributes of the chosen IPU</source>
        <translation>Eigenschaften der gewählten IPU</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>Prozesse</translation>
    </message>
    <message>
        <source>Cost of the emulation here</source>
        <translation>Aufwand der Emulation hier</translation>
    </message>
    <message>
        <source>Busy share by IPU, modelled</source>
        <translation>Beschäftigter Anteil je IPU, modelliert</translation>
    </message>
    <message>
        <source>seconds here</source>
        <translation>Sekunden hier</translation>
    </message>
    <message>
        <source>busy share</source>
        <translation>beschäftigter Anteil</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>This process</source>
        <translation>Dieser Prozess</translation>
    </message>
    <message>
        <source>Idle systems too</source>
        <translation>Auch freie Systeme</translation>
    </message>
    <message>
        <source>Lists the IPUs of unused systems</source>
        <translation>Zählt auch die IPUs von Systemen auf, die niemand benutzt</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
    <message>
        <source>The same text as the command “monitor --once” prints</source>
        <translation>Derselbe Text, den der Befehl „monitor --once“ ausgibt</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Attribute</source>
        <translation>Eigenschaft</translation>
    </message>
    <message>
        <source>%1 IPU %2, process %3</source>
        <translation>%1 IPU %2, Prozess %3</translation>
    </message>
</context>
<context>
    <name>tilewright::views::OpTilesPane</name>
    <message>
        <source>What is shown by tile</source>
        <translation>Was nach Tiles gezeigt wird</translation>
    </message>
    <message>
        <source>%1: click to show or hide</source>
        <translation>%1: Klicken zeigt oder verbirgt es</translation>
    </message>
    <message>
        <source>Cycles by tile</source>
        <translation>Takte nach Tiles</translation>
    </message>
    <message>
        <source>Code by tile</source>
        <translation>Code nach Tiles</translation>
    </message>
    <message>
        <source>Durations</source>
        <translation>Dauern</translation>
    </message>
    <message>
        <source>Code of the chosen operation by tile</source>
        <translation>Code der gewählten Operation nach Tiles</translation>
    </message>
    <message>
        <source>Cycles of the chosen operation by tile</source>
        <translation>Takte der gewählten Operation nach Tiles</translation>
    </message>
    <message>
        <source>tile of the replica</source>
        <translation>Tile der Replika</translation>
    </message>
    <message>
        <source>tile</source>
        <translation>Tile</translation>
    </message>
    <message>
        <source>Choose an operation to see it by tile.</source>
        <translation>Wählen Sie eine Operation, um sie nach Tiles zu sehen.</translation>
    </message>
    <message>
        <source>This operation has no code on tiles.</source>
        <translation>Diese Operation hat keinen Code auf Tiles.</translation>
    </message>
    <message>
        <source>This operation takes no cycles of tiles: it computes nothing and exchanges nothing.</source>
        <translation>Diese Operation braucht keine Takte von Tiles: Sie rechnet nichts und tauscht nichts aus.</translation>
    </message>
    <message>
        <source>vertices</source>
        <translation>Vertices</translation>
    </message>
    <message>
        <source>exchange</source>
        <translation>Austausch</translation>
    </message>
    <message>
        <source>control</source>
        <translation>Steuerung</translation>
    </message>
    <message>
        <source>code on %1 of %2 tiles, most on %3: %4</source>
        <translation>Code auf %1 von %2 Tiles, am meisten auf %3: %4</translation>
    </message>
    <message>
        <source>%1 more, of transfers at the start and the end, are not told by tile</source>
        <translation>%1 weitere, von Übertragungen am Anfang und am Ende, sind nicht nach Tiles bekannt</translation>
    </message>
    <message>
        <source>Exchange</source>
        <translation>Austausch</translation>
    </message>
    <message>
        <source>cycles of a step on %1 of %2 tiles, most on %3: %4 (modelled)</source>
        <translation>Takte eines Schritts auf %1 von %2 Tiles, am meisten auf %3: %4 (modelliert)</translation>
    </message>
    <message>
        <source>cycles of one execution on %1 of %2 tiles, most on %3: %4 (modelled)</source>
        <translation>Takte einer Ausführung auf %1 von %2 Tiles, am meisten auf %3: %4 (modelliert)</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>no code of it</source>
        <translation>kein Code davon</translation>
    </message>
    <message>
        <source>takes no part</source>
        <translation>nimmt nicht teil</translation>
    </message>
    <message>
        <source>together %1</source>
        <translation>zusammen %1</translation>
    </message>
</context>
<context>
    <name>tilewright::views::OperationsView</name>
    <message>
        <source>Operations: %1</source>
        <translation>Operationen: %1</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Grouping</source>
        <translation>Gruppierung</translation>
    </message>
    <message>
        <source>Not grouped</source>
        <translation>Nicht gruppiert</translation>
    </message>
    <message>
        <source>By pass</source>
        <translation>Nach Durchgang</translation>
    </message>
    <message>
        <source>By layer</source>
        <translation>Nach Schicht</translation>
    </message>
    <message>
        <source>By kind</source>
        <translation>Nach Art</translation>
    </message>
    <message>
        <source>By stage</source>
        <translation>Nach Stufe</translation>
    </message>
    <message>
        <source>Run whose cycles are shown</source>
        <translation>Lauf, dessen Takte gezeigt werden</translation>
    </message>
    <message>
        <source>IPUs whose cycles are shown</source>
        <translation>IPUs, deren Takte gezeigt werden</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>Cycles of the operations shown, as areas</source>
        <translation>Takte der gezeigten Operationen als Flächen</translation>
    </message>
    <message>
        <source>Chosen operation</source>
        <translation>Gewählte Operation</translation>
    </message>
    <message>
        <source>Choose an operation to see its costs and its plan.</source>
        <translation>Wählen Sie eine Operation, um ihre Kosten und ihren Plan zu sehen.</translation>
    </message>
    <message>
        <source>Cycles</source>
        <translation>Takte</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Cycles by phase, of the selection and of all shown</source>
        <translation>Takte nach Phase, von allem Gewählten und allem Gezeigten</translation>
    </message>
    <message>
        <source>No report yet: operations come with a compile</source>
        <translation>Noch kein Bericht: Operationen kommen mit dem Kompilieren</translation>
    </message>
    <message>
        <source>Reading the operations…</source>
        <translation>Die Operationen werden gelesen…</translation>
    </message>
    <message>
        <source>Chosen:</source>
        <translation>Gewählt:</translation>
    </message>
    <message>
        <source>Shown:</source>
        <translation>Gezeigt:</translation>
    </message>
    <message>
        <source>%1 of %2 operations belong to %3</source>
        <translation>%1 von %2 Operationen gehören zu %3</translation>
    </message>
    <message>
        <source>%1: %2 of a step, %3, bound by %4 (%5)</source>
        <translation>%1: %2 eines Schritts, %3, begrenzt durch %4 (%5)</translation>
    </message>
    <message>
        <source>Areas, roofline, phases and plans are those of the report on show; %1 stands in the table.</source>
        <translation>Flächen, Roofline, Phasen und Pläne sind die des gezeigten Berichts; %1 steht in der Tabelle.</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>By tile</source>
        <translation>Nach Tiles</translation>
    </message>
</context>
<context>
    <name>tilewright::views::OutlineTree</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Param.</source>
        <translation>Param.</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Parts of the project</source>
        <translation>Teile des Projekts</translation>
    </message>
    <message>
        <source>input</source>
        <translation>Eingang</translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Functional</source>
        <translation>Funktional</translation>
    </message>
    <message>
        <source>Sequential</source>
        <translation>Sequential</translation>
    </message>
    <message>
        <source>group</source>
        <translation>Gruppe</translation>
    </message>
</context>
<context>
    <name>tilewright::views::OutlineView</name>
    <message>
        <source>Outline</source>
        <translation>Gliederung</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>No project is open.</source>
        <translation>Kein Projekt ist offen.</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s) · %1 parameters</source>
        <translation>
            <numerusform>%n Schicht · %1 Parameter</numerusform>
            <numerusform>%n Schichten · %1 Parameter</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message numerus="yes">
        <source>Remove %n layer(s)</source>
        <translation>
            <numerusform>%n Schicht entfernen</numerusform>
            <numerusform>%n Schichten entfernen</numerusform>
        </translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 verschieben</translation>
    </message>
    <message>
        <source>Show in the inspector</source>
        <translation>Im Inspektor zeigen</translation>
    </message>
    <message>
        <source>Show on the canvas</source>
        <translation>Auf der Zeichenfläche zeigen</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
</context>
<context>
    <name>tilewright::views::PaletteList</name>
    <message>
        <source>Layers that can be added</source>
        <translation>Schichten, die man hinzufügen kann</translation>
    </message>
    <message>
        <source>%1
Arguments: %2</source>
        <translation>%1
Argumente: %2</translation>
    </message>
    <message>
        <source>Drag it onto the canvas, or press Enter to add it after the selected layer.</source>
        <translation>Auf die Zeichenfläche ziehen, oder mit der Eingabetaste hinter die gewählte Schicht setzen.</translation>
    </message>
</context>
<context>
    <name>tilewright::views::PaletteView</name>
    <message>
        <source>Search layers</source>
        <translation>Schichten suchen</translation>
    </message>
    <message>
        <source>Open a project to build its model from layers.</source>
        <translation>Öffnen Sie ein Projekt, um sein Modell aus Schichten zu bauen.</translation>
    </message>
    <message numerus="yes">
        <source>%n class(es). Drag one onto the canvas.</source>
        <translation>
            <numerusform>%n Klasse. Ziehen Sie sie auf die Zeichenfläche.</numerusform>
            <numerusform>%n Klassen. Ziehen Sie eine auf die Zeichenfläche.</numerusform>
        </translation>
    </message>
    <message>
        <source>No layer fits “%1”.</source>
        <translation>Keine Schicht passt zu „%1“.</translation>
    </message>
    <message>
        <source>%1 of %2 classes</source>
        <translation>%1 von %2 Klassen</translation>
    </message>
    <message>
        <source>Added %1.</source>
        <translation>%1 hinzugefügt.</translation>
    </message>
    <message>
        <source>Adds the first layer</source>
        <translation>Fügt die erste Schicht hinzu</translation>
    </message>
    <message>
        <source>Adds after %1</source>
        <translation>Fügt hinter %1 ein</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ParallelPage</name>
    <message>
        <source>Parallelism</source>
        <translation>Parallelität</translation>
    </message>
    <message>
        <source>The model has no pipeline: one stage does everything. Give layers a stage in the inspector or on the canvas to cut it.</source>
        <translation>Das Modell hat keine Pipeline: Eine Stufe tut alles. Geben Sie Schichten im Inspektor oder auf der Zeichenfläche eine Stufe, um es zu teilen.</translation>
    </message>
    <message>
        <source>Not applied yet. %1</source>
        <translation>Noch nicht angewendet. %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln micro-batch(es) are not a multiple of %1: this schedule cannot run.</source>
        <translation>
            <numerusform>%Ln Micro-Batch ist kein Vielfaches von %1: Dieser Ablauf kann nicht laufen.</numerusform>
            <numerusform>%Ln Micro-Batches sind kein Vielfaches von %1: Dieser Ablauf kann nicht laufen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Blocks: F forward, B backward, R computed again; the number is the micro-batch.</source>
        <translation>Blöcke: F vorwärts, B rückwärts, R noch einmal berechnet; die Zahl ist der Micro-Batch.</translation>
    </message>
</context>
<context>
    <name>tilewright::views::PhaseBar</name>
    <message>
        <source>Cycles by phase</source>
        <translation>Takte nach Phase</translation>
    </message>
</context>
<context>
    <name>tilewright::views::PhaseFlame</name>
    <message>
        <source>Phases of the compile by time</source>
        <translation>Phasen des Kompilierens über der Zeit</translation>
    </message>
    <message>
        <source>%1: %2 here, %3</source>
        <translation>%1: %2 hier, %3</translation>
    </message>
    <message>
        <source> · nodes %1 → %2</source>
        <translation> · Knoten %1 → %2</translation>
    </message>
    <message>
        <source> · did not end</source>
        <translation> · nicht beendet</translation>
    </message>
</context>
<context>
    <name>tilewright::views::PlanView</name>
    <message>
        <source>Training plan</source>
        <translation>Trainingsplan</translation>
    </message>
    <message>
        <source>What follows</source>
        <translation>Was daraus folgt</translation>
    </message>
    <message>
        <source>Open or make a project to plan its training.</source>
        <translation>Öffnen Sie ein Projekt oder legen Sie eines an, um sein Training zu planen.</translation>
    </message>
</context>
<context>
    <name>tilewright::views::PredictionGrid</name>
    <message>
        <source>Samples with predictions, wrong ones first</source>
        <translation>Beispiele mit Vorhersagen, falsche zuerst</translation>
    </message>
    <message>
        <source>no label</source>
        <translation>kein Label</translation>
    </message>
    <message>
        <source>true class %1</source>
        <translation>wahre Klasse %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Sample %1: predicted %2; true %3; %4 of %5 positions right</source>
        <translation>Beispiel %1: vorhergesagt %2; wahr %3; %4 von %5 Stellen richtig</translation>
    </message>
    <message>
        <source>Sample %1: predicted class %2 (%3), %4</source>
        <translation>Beispiel %1: vorhergesagte Klasse %2 (%3), %4</translation>
    </message>
    <message>
        <source>%1, is %2</source>
        <translation>%1, ist %2</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ProblemCard</name>
    <message>
        <source>%1 (can be undone)</source>
        <translation>%1 (lässt sich rückgängig machen)</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ProblemList</name>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
    <message>
        <source>Fewer</source>
        <translation>Weniger</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more problem(s)</source>
        <translation>
            <numerusform>%Ln weiteres Problem</numerusform>
            <numerusform>%Ln weitere Probleme</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::ProblemsView</name>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Open a project to see what is wrong with it.</source>
        <translation>Öffnen Sie ein Projekt, um zu sehen, was daran nicht stimmt.</translation>
    </message>
    <message>
        <source>The model, the training plan and the configuration are sound.</source>
        <translation>Modell, Trainingsplan und Konfiguration sind in Ordnung.</translation>
    </message>
    <message>
        <source>%1 more are not shown.</source>
        <translation>%1 weitere werden nicht gezeigt.</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Schwere</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Gegenstand</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Remedy</source>
        <translation>Abhilfe</translation>
    </message>
    <message>
        <source>Trying changes that make it fit …</source>
        <translation>Es wird probiert, womit es passen würde …</translation>
    </message>
    <message>
        <source>No number of tiles, share of memory, batch size or pipeline stages that was tried makes it fit.</source>
        <translation>Keine der probierten Zahlen von Tiles, Speicheranteile, Batch-Größen oder Pipeline-Stufen macht es passend.</translation>
    </message>
    <message>
        <source>Each of these was tried by a compile:</source>
        <translation>Jedes davon wurde durch Kompilieren probiert:</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ProgramView</name>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Run whose cycles are shown</source>
        <translation>Lauf, dessen Takte gezeigt werden</translation>
    </message>
    <message>
        <source>IPUs whose cycles are shown</source>
        <translation>IPUs, deren Takte gezeigt werden</translation>
    </message>
    <message>
        <source>Show in time</source>
        <translation>In der Zeit zeigen</translation>
    </message>
    <message>
        <source>Shows the chosen step in the execution view (Enter)</source>
        <translation>Zeigt den gewählten Schritt in der Ausführung (Eingabe)</translation>
    </message>
    <message>
        <source>Program steps</source>
        <translation>Programmschritte</translation>
    </message>
    <message>
        <source>Chosen step</source>
        <translation>Gewählter Schritt</translation>
    </message>
    <message>
        <source>Choose a step to see what it does and what it costs.</source>
        <translation>Wählen Sie einen Schritt, um zu sehen, was er tut und was er kostet.</translation>
    </message>
    <message>
        <source>No report yet: the program comes with a compile</source>
        <translation>Noch kein Bericht: Das Programm kommt mit dem Kompilieren</translation>
    </message>
    <message>
        <source>%1 of %2 program steps belong to %3</source>
        <translation>%1 von %2 Programmschritten gehören zu %3</translation>
    </message>
    <message>
        <source>Cycles</source>
        <translation>Takte</translation>
    </message>
    <message>
        <source>Compared with %1</source>
        <translation>Verglichen mit %1</translation>
    </message>
    <message>
        <source>%1 of a step</source>
        <translation>%1 eines Schritts</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
</context>
<context>
    <name>tilewright::views::PropertyRow</name>
    <message>
        <source>Deprecated: %1</source>
        <translation>Überholt: %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>deprecated</source>
        <translation>überholt</translation>
    </message>
    <message>
        <source>Reset %1 to its default</source>
        <translation>%1 auf die Vorgabe zurücksetzen</translation>
    </message>
    <message>
        <source>Back to the default</source>
        <translation>Zurück zur Vorgabe</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>Not applied. %1</source>
        <translation>Nicht angewendet. %1</translation>
    </message>
    <message>
        <source>Reset to default</source>
        <translation>Auf die Vorgabe zurücksetzen</translation>
    </message>
    <message>
        <source>Copy value</source>
        <translation>Wert kopieren</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Copy all values</source>
        <translation>Alle Werte kopieren</translation>
    </message>
    <message>
        <source>Paste values</source>
        <translation>Werte einfügen</translation>
    </message>
</context>
<context>
    <name>tilewright::views::PropertyTable</name>
    <message>
        <source>Changed only</source>
        <translation>Nur geänderte</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search %1</source>
        <translation>%1 durchsuchen</translation>
    </message>
    <message>
        <source>Show only changed fields of %1</source>
        <translation>Nur geänderte Felder von %1 zeigen</translation>
    </message>
    <message>
        <source>Help for the field</source>
        <translation>Hilfe zum Feld</translation>
    </message>
    <message>
        <source>General</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>%1 ändern</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>%1 zurücksetzen</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Everything has its default.</source>
        <translation>Alles steht auf seiner Vorgabe.</translation>
    </message>
    <message>
        <source>Nothing matches the search.</source>
        <translation>Nichts passt zur Suche.</translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n changed</source>
        <translation>
            <numerusform>%1 · %n geändert</numerusform>
            <numerusform>%1 · %n geändert</numerusform>
        </translation>
    </message>
    <message>
        <source>Deprecated: %1</source>
        <translation>Überholt: %1</translation>
    </message>
    <message>
        <source>Paste values</source>
        <translation>Werte einfügen</translation>
    </message>
    <message numerus="yes">
        <source>%n field(s)</source>
        <translation>
            <numerusform>%n Feld</numerusform>
            <numerusform>%n Felder</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::RangeStrip</name>
    <message>
        <source>All there is; the frame is the part on show. Drag it or its handles; double click shows everything. By keyboard: Space chooses frame, left or right handle, arrows move it, + and - zoom, Home shows all.</source>
        <translation>Alles, was es gibt; der Rahmen ist der gezeigte Teil. Ziehen Sie ihn oder seine Griffe; ein Doppelklick zeigt alles. Mit der Tastatur: Die Leertaste wählt Rahmen, linken oder rechten Griff, Pfeile bewegen ihn, + und - vergrößern und verkleinern, Pos1 zeigt alles.</translation>
    </message>
    <message>
        <source>the left handle</source>
        <translation>den linken Griff</translation>
    </message>
    <message>
        <source>the right handle</source>
        <translation>den rechten Griff</translation>
    </message>
    <message>
        <source>the frame</source>
        <translation>den Rahmen</translation>
    </message>
    <message>
        <source>%1 shown; arrows move %2</source>
        <translation>%1 gezeigt; Pfeile bewegen %2</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ReportLogView</name>
    <message>
        <source>Log of the report</source>
        <translation>Protokoll des Berichts</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>%1 ns after the start, here</source>
        <translation>%1 ns nach dem Beginn, hier</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Component</source>
        <translation>Komponente</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Tile</source>
        <translation>Tile</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>This report holds no log</source>
        <translation>Dieser Bericht enthält kein Protokoll</translation>
    </message>
    <message>
        <source>Console</source>
        <translation>Konsole</translation>
    </message>
    <message>
        <source>no errors</source>
        <translation>keine Fehler</translation>
    </message>
    <message>
        <source>Nothing was logged when this report was written. Messages of this session are in the console.</source>
        <translation>Als dieser Bericht geschrieben wurde, wurde nichts protokolliert. Die Meldungen dieser Sitzung stehen in der Konsole.</translation>
    </message>
    <message>
        <source>Note in the report about its log: %1. Messages of this session are in the console.</source>
        <translation>Der Bericht sagt über sein Protokoll: %1. Die Meldungen dieser Sitzung stehen in der Konsole.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln error(s)</source>
        <translation>
            <numerusform>%Ln Fehler</numerusform>
            <numerusform>%Ln Fehler</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln warning(s)</source>
        <translation>
            <numerusform>%Ln Warnung</numerusform>
            <numerusform>%Ln Warnungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s)</source>
        <translation>
            <numerusform>%Ln Zeile</numerusform>
            <numerusform>%Ln Zeilen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>tilewright::views::ResultsView</name>
    <message>
        <source>Apply this change</source>
        <translation>Diese Änderung anwenden</translation>
    </message>
    <message>
        <source>Sets the fields of the chosen line in the project, as one step that can be undone</source>
        <translation>Setzt die Felder der gewählten Zeile im Projekt, in einem Schritt, der sich zurücknehmen lässt</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Open or make a project to evaluate, verify or tune it.</source>
        <translation>Öffnen oder erstellen Sie ein Projekt, um es auszuwerten, zu prüfen oder abzustimmen.</translation>
    </message>
    <message>
        <source>%1 …</source>
        <translation>%1 …</translation>
    </message>
    <message>
        <source>Nothing was evaluated, predicted, verified or tuned yet</source>
        <translation>Noch wurde nichts ausgewertet, vorhergesagt, geprüft oder abgestimmt</translation>
    </message>
    <message>
        <source>%1: no result</source>
        <translation>%1: kein Ergebnis</translation>
    </message>
    <message>
        <source>The project has changed since.</source>
        <translation>Das Projekt wurde seitdem geändert.</translation>
    </message>
    <message>
        <source>Apply what tuning found</source>
        <translation>Ergebnis des Abstimmens anwenden</translation>
    </message>
</context>
<context>
    <name>tilewright::views::Roofline</name>
    <message>
        <source>Roofline: FLOPs per cycle against FLOPs per byte moved</source>
        <translation>Roofline: FLOPs je Takt gegen FLOPs je bewegtem Byte</translation>
    </message>
    <message>
        <source>%1: %2 FLOPs per cycle</source>
        <translation>%1: %2 FLOPs je Takt</translation>
    </message>
    <message>
        <source>No operation here both computes and moves data</source>
        <translation>Hier ist keine Operation, die sowohl rechnet als auch Daten bewegt</translation>
    </message>
    <message>
        <source>FLOPs per byte moved</source>
        <translation>FLOPs je bewegtem Byte</translation>
    </message>
    <message>
        <source>FLOPs per cycle of an IPU (modelled)</source>
        <translation>FLOPs je Takt einer IPU (modelliert)</translation>
    </message>
    <message>
        <source>peak in 32 bits: %1</source>
        <translation>Spitze in 32 Bit: %1</translation>
    </message>
    <message>
        <source>%1
%2 FLOPs per cycle, %3 FLOPs per byte
%4 of what the machine could do here</source>
        <translation>%1
%2 FLOPs je Takt, %3 FLOPs je Byte
%4 dessen, was die Maschine hier könnte</translation>
    </message>
</context>
<context>
    <name>tilewright::views::RunActions</name>
    <message>
        <source>Open report</source>
        <translation>Bericht öffnen</translation>
    </message>
    <message>
        <source>Shows the report of this run (Enter, double click)</source>
        <translation>Zeigt den Bericht dieses Laufs (Eingabe, Doppelklick)</translation>
    </message>
    <message>
        <source>Pin as baseline</source>
        <translation>Als Vergleichsbasis anheften</translation>
    </message>
    <message>
        <source>Compare the report shown with this run</source>
        <translation>Was gezeigt wird, wird mit diesem Lauf verglichen</translation>
    </message>
    <message>
        <source>Restore project</source>
        <translation>Projekt wiederherstellen</translation>
    </message>
    <message>
        <source>Restores the project as it was in this run; one undo takes it back</source>
        <translation>Macht das Projekt zu dem, was es in diesem Lauf war, als einen Schritt, der sich rückgängig machen lässt</translation>
    </message>
    <message>
        <source>Delete report…</source>
        <translation>Bericht löschen…</translation>
    </message>
    <message>
        <source>Moves the report file of this run to the trash (Del)</source>
        <translation>Verschiebt die Berichtsdatei dieses Laufs in den Papierkorb (Entf)</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>Tags of the chosen run</source>
        <translation>Schlagwörter des gewählten Laufs</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Notes on the chosen run</source>
        <translation>Notizen zum gewählten Lauf</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>%1 ended early: %2</source>
        <translation>%1 endete vorzeitig: %2</translation>
    </message>
    <message>
        <source>Choose a run to open, pin, restore or delete it.</source>
        <translation>Wählen Sie einen Lauf, um ihn zu öffnen, anzuheften, wiederherzustellen oder zu löschen.</translation>
    </message>
    <message>
        <source>the report of %1 (%2)</source>
        <translation>Bericht von %1 (%2)</translation>
    </message>
    <message>
        <source>Move %1 to the trash? The run stays in the list.</source>
        <translation>%1 in den Papierkorb legen? Der Lauf bleibt in der Liste.</translation>
    </message>
    <message>
        <source>There is no trash for %1. Delete it for good? That cannot be undone; the run stays in the list.</source>
        <translation>Für %1 gibt es keinen Papierkorb. Endgültig löschen? Das lässt sich nicht rückgängig machen; der Lauf bleibt in der Liste.</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>Endgültig löschen</translation>
    </message>
    <message>
        <source>Unpin baseline</source>
        <translation>Vergleichsbasis lösen</translation>
    </message>
</context>
<context>
    <name>tilewright::views::SampleGrid</name>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Sample %1</source>
        <translation>Beispiel %1</translation>
    </message>
    <message>
        <source>Sample %1, label %2</source>
        <translation>Beispiel %1, Label %2</translation>
    </message>
    <message>
        <source> · values in the model %1 to %2</source>
        <translation> · Werte im Modell %1 bis %2</translation>
    </message>
    <message>
        <source>no label</source>
        <translation>kein Label</translation>
    </message>
    <message>
        <source>The first samples; labels %1</source>
        <translation>Die ersten Beispiele; Labels %1</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ScaleLegend</name>
    <message>
        <source>Legend of the colours</source>
        <translation>Legende der Farben</translation>
    </message>
    <message>
        <source>From %1 to %2</source>
        <translation>Von %1 bis %2</translation>
    </message>
    <message>
        <source>over the limit</source>
        <translation>über der Grenze</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ScheduleWidget</name>
    <message>
        <source>Preview of the pipeline&apos;s schedule</source>
        <translation>Vorschau auf den Ablauf der Pipeline</translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>ramp-up</source>
        <translation>Anlauf</translation>
    </message>
    <message>
        <source>steady, %1 more micro-batches</source>
        <translation>eingeschwungen, %1 weitere Micro-Batches</translation>
    </message>
    <message>
        <source>steady</source>
        <translation>eingeschwungen</translation>
    </message>
    <message>
        <source>ramp-down</source>
        <translation>Auslauf</translation>
    </message>
    <message>
        <source>F</source>
        <comment>forward</comment>
        <translation>F</translation>
    </message>
    <message>
        <source>B</source>
        <comment>backward</comment>
        <translation>B</translation>
    </message>
    <message>
        <source>bubble: the stage waits</source>
        <translation>Blase: Die Stufe wartet</translation>
    </message>
    <message>
        <source>R</source>
        <comment>recompute</comment>
        <translation>R</translation>
    </message>
    <message numerus="yes">
        <source>What it receives is kept %n times at once.</source>
        <translation>
            <numerusform>Was sie empfängt, wird einmal aufgehoben.</numerusform>
            <numerusform>Was sie empfängt, wird %n-mal zugleich aufgehoben.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Its activations are kept %n times at once.</source>
        <translation>
            <numerusform>Ihre Aktivierungen werden einmal aufgehoben.</numerusform>
            <numerusform>Ihre Aktivierungen werden %n-mal zugleich aufgehoben.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %Ln cycle(s)</source>
        <translation>
            <numerusform>etwa %Ln Zyklus</numerusform>
            <numerusform>etwa %Ln Zyklen</numerusform>
        </translation>
    </message>
    <message>
        <source>Stage %1, %2 of micro-batch %3 (%4). %5</source>
        <translation>Stufe %1, %2 von Micro-Batch %3 (%4). %5</translation>
    </message>
</context>
<context>
    <name>tilewright::views::SiliconPanel</name>
    <message>
        <source>What the layer takes</source>
        <translation>Was die Schicht braucht</translation>
    </message>
    <message>
        <source>Cycles by pass</source>
        <translation>Takte nach Durchgang</translation>
    </message>
    <message>
        <source>Operations of the layer</source>
        <translation>Operationen der Schicht</translation>
    </message>
    <message>
        <source>Compute sets of the layer</source>
        <translation>Compute-Sets der Schicht</translation>
    </message>
    <message>
        <source>Variables of the layer</source>
        <translation>Variablen der Schicht</translation>
    </message>
    <message>
        <source>Bytes of the layer&apos;s variables by tile</source>
        <translation>Bytes der Variablen der Schicht je Tile</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>Compute sets</source>
        <translation>Compute-Sets</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>, %1 of a step</source>
        <translation>, %1 eines Schritts</translation>
    </message>
    <message>
        <source>Cycles</source>
        <translation>Takte</translation>
    </message>
    <message>
        <source>%1, estimated by the planner</source>
        <translation>%1, vom Planer geschätzt</translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation>Tiles</translation>
    </message>
    <message>
        <source>%1 of %2 hold its variables</source>
        <translation>%1 von %2 enthalten ihre Variablen</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Durchgang</translation>
    </message>
    <message>
        <source>Cycles, estimated</source>
        <translation>Takte, geschätzt</translation>
    </message>
    <message>
        <source>Slowest tile, cycles</source>
        <translation>Langsamstes Tile, Takte</translation>
    </message>
    <message>
        <source>Active tiles</source>
        <translation>Aktive Tiles</translation>
    </message>
    <message>
        <source>Vertices</source>
        <translation>Vertices</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Operations (%1)</source>
        <translation>Operationen (%1)</translation>
    </message>
    <message>
        <source>Compute sets (%1)</source>
        <translation>Compute-Sets (%1)</translation>
    </message>
    <message>
        <source>Variables (%1)</source>
        <translation>Variablen (%1)</translation>
    </message>
    <message>
        <source>%1 a step%2, %3</source>
        <translation>%1 je Schritt%2, %3</translation>
    </message>
    <message>
        <source>%1 always, %2 in turn</source>
        <translation>%1 immer, %2 im Wechsel</translation>
    </message>
    <message>
        <source>%1 always live, %2 live at times, on addresses that they may share</source>
        <translation>%1 immer live, %2 zeitweise live, auf Adressen, die sie sich teilen können</translation>
    </message>
    <message>
        <source>%1, %2 of it in operations</source>
        <translation>%1, davon %2 in Operationen</translation>
    </message>
    <message numerus="yes">
        <source>%n exchange(s)</source>
        <translation>
            <numerusform>%n Austausch</numerusform>
            <numerusform>%n Austauschen</numerusform>
        </translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>Bewegt</translation>
    </message>
    <message>
        <source>%1 a step in %2</source>
        <translation>%1 je Schritt in %2</translation>
    </message>
    <message>
        <source>%1 by %2, each once</source>
        <translation>%1 durch %2, jeder einmal</translation>
    </message>
</context>
<context>
    <name>tilewright::views::StepBar</name>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Liveness step</source>
        <translation>Liveness-Schritt</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Go through the steps one after the other</source>
        <translation>Die Schritte einen nach dem anderen durchgehen</translation>
    </message>
</context>
<context>
    <name>tilewright::views::StepHeat</name>
    <message>
        <source>Live bytes of each tile over the liveness steps</source>
        <translation>Live Bytes jedes Tiles über die Liveness-Schritte</translation>
    </message>
    <message>
        <source>This report holds no lifetimes.</source>
        <translation>Dieser Bericht sagt nichts über Lebensdauern.</translation>
    </message>
    <message>
        <source>live bytes</source>
        <translation>live Bytes</translation>
    </message>
    <message>
        <source>liveness step</source>
        <translation>Liveness-Schritt</translation>
    </message>
    <message>
        <source>tile</source>
        <translation>Tile</translation>
    </message>
    <message>
        <source>0 to %1 live</source>
        <translation>0 bis %1 live</translation>
    </message>
    <message>
        <source>%1 live on tile %2 at liveness step %3</source>
        <translation>%1 live auf Tile %2 in Liveness-Schritt %3</translation>
    </message>
    <message>
        <source>up to %1 live around tile %2, liveness step %3</source>
        <translation>bis zu %1 live um Tile %2, Liveness-Schritt %3</translation>
    </message>
</context>
<context>
    <name>tilewright::views::StepTimeChart</name>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>steps %1 to %2</source>
        <translation>Schritte %1 bis %2</translation>
    </message>
    <message>
        <source>Time of a step by its number, measured here</source>
        <translation>Dauer eines Schritts nach seiner Nummer, hier gemessen</translation>
    </message>
    <message>
        <source>This report has no calls of the program: they are recorded while a run trains.</source>
        <translation>Dieser Bericht hat keine Aufrufe des Programms: Sie werden aufgezeichnet, während ein Lauf trainiert.</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Half of all steps took at most %1 here, the longest %2.</source>
        <translation>Die Hälfte aller Schritte dauerte hier höchstens %1, der längste %2.</translation>
    </message>
    <message>
        <source>None took unusually long.</source>
        <translation>Keiner dauerte ungewöhnlich lange.</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s) took unusually long; click one to see what the host did.</source>
        <translation>
            <numerusform>%n Aufruf dauerte ungewöhnlich lange; ein Klick zeigt, was der Rechner dabei tat.</numerusform>
            <numerusform>%n Aufrufe dauerten ungewöhnlich lange; ein Klick auf einen zeigt, was der Rechner dabei tat.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The %n longest are marked.</source>
        <translation>
            <numerusform>Der längste ist gekennzeichnet.</numerusform>
            <numerusform>Die %n längsten sind gekennzeichnet.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2 a step, %3 times the median</source>
        <translation>%1: %2 je Schritt, das %3-Fache des Medians</translation>
    </message>
</context>
<context>
    <name>tilewright::views::SummaryView</name>
    <message>
        <source>What does not fit</source>
        <translation>Was nicht passt</translation>
    </message>
    <message>
        <source>Most important findings</source>
        <translation>Wichtigste Hinweise</translation>
    </message>
    <message>
        <source>Cycles of a step by phase, one bar per IPU</source>
        <translation>Takte eines Schritts nach Phase, ein Balken je IPU</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Maschine</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Changed only</source>
        <translation>Nur geänderte</translation>
    </message>
    <message>
        <source>Shows only options that differ from their default</source>
        <translation>Zeigt nur Optionen, die von ihrer Vorgabe abweichen</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>Optionen</translation>
    </message>
    <message>
        <source>Options of this report</source>
        <translation>Optionen dieses Berichts</translation>
    </message>
    <message>
        <source>Parts of this report</source>
        <translation>Teile dieses Berichts</translation>
    </message>
    <message>
        <source>Where it comes from</source>
        <translation>Woher er kommt</translation>
    </message>
    <message>
        <source>Parts of the report file</source>
        <translation>Teile der Berichtsdatei</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the summary as Markdown</source>
        <translation>Die Übersicht als Markdown kopieren</translation>
    </message>
    <message>
        <source>No report yet: compile the project to see whether it fits and how fast it is</source>
        <translation>Noch kein Bericht: Kompilieren Sie das Projekt, um zu sehen, ob es passt und wie schnell es ist</translation>
    </message>
    <message>
        <source>Most important findings (%1 of %2)</source>
        <translation>Wichtigste Hinweise (%1 von %2)</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>None: no rule found anything worth changing.</source>
        <translation>Keine: Keine Regel fand etwas, das zu ändern sich lohnte.</translation>
    </message>
    <message>
        <source>Option</source>
        <translation>Option</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>Set by</source>
        <translation>Gesetzt von</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>Geltung</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Packed data</source>
        <translation>Gepackte Daten</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>Teile</translation>
    </message>
</context>
<context>
    <name>tilewright::views::SystemPage</name>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Figures of the system</source>
        <translation>Zahlen des Systems</translation>
    </message>
    <message>
        <source>Plain Keras on the host: nothing is emulated, so there are no tiles, cycles or bytes to see.</source>
        <translation>Einfaches Keras auf dem Host: Nichts wird emuliert, also gibt es keine Tiles, Takte oder Bytes zu sehen.</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwendung</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Replikas</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Each IPU</source>
        <translation>Jede IPU</translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation>Tiles</translation>
    </message>
    <message>
        <source>%1 with %2 each</source>
        <translation>%1 mit je %2</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Takt</translation>
    </message>
    <message>
        <source>%1 GHz</source>
        <translation>%1 GHz</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>%1 per tile</source>
        <translation>%1 je Tile</translation>
    </message>
    <message>
        <source>Remote buffers</source>
        <translation>Remote-Buffer</translation>
    </message>
    <message>
        <source>Links between IPUs</source>
        <translation>Links zwischen IPUs</translation>
    </message>
    <message>
        <source>Inside a pair</source>
        <translation>Innerhalb eines Paars</translation>
    </message>
    <message>
        <source>%1 GB/s each way, modelled</source>
        <translation>%1 GB/s in jeder Richtung, modelliert</translation>
    </message>
    <message>
        <source>Between pairs</source>
        <translation>Zwischen Paaren</translation>
    </message>
    <message>
        <source>%1, each on an IPU of its own</source>
        <translation>%1, jede auf einer eigenen IPU</translation>
    </message>
    <message numerus="yes">
        <source>%1, %Ln IPU(s) each</source>
        <translation>
            <numerusform>%1 mit je einer IPU</numerusform>
            <numerusform>%1 mit je %Ln IPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln IPU(s) without work</source>
        <translation>
            <numerusform>%Ln IPU ohne Arbeit</numerusform>
            <numerusform>%Ln IPUs ohne Arbeit</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, on IPUs as the plan maps them</source>
        <translation>%1, auf IPUs, wie der Plan sie zuordnet</translation>
    </message>
</context>
<context>
    <name>tilewright::views::TextPage</name>
    <message>
        <source>Changed only</source>
        <translation>Nur geänderte</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source># every option has its default</source>
        <translation># jede Option steht auf ihrer Vorgabe</translation>
    </message>
    <message>
        <source>One line per option</source>
        <translation>Eine Zeile je Option</translation>
    </message>
</context>
<context>
    <name>tilewright::views::TileMapWidget</name>
    <message>
        <source>Floor plan of the tiles</source>
        <translation>Grundriss der Tiles</translation>
    </message>
    <message>
        <source>IPU %1</source>
        <translation>IPU %1</translation>
    </message>
    <message>
        <source>arrows	next tile (Shift: add it)</source>
        <translation>Pfeile	nächstes Tile (Umschalt: dazunehmen)</translation>
    </message>
    <message>
        <source>+, -	zoom</source>
        <translation>+, -	vergrößern, verkleinern</translation>
    </message>
    <message>
        <source>Enter	open the tile&apos;s addresses</source>
        <translation>Eingabe	Adressen des Tiles öffnen</translation>
    </message>
    <message>
        <source>Esc	clear the selection</source>
        <translation>Esc	Auswahl aufheben</translation>
    </message>
</context>
<context>
    <name>tilewright::views::TilesPage</name>
    <message>
        <source>Profile of bytes by tile</source>
        <translation>Profil der Bytes je Tile</translation>
    </message>
    <message>
        <source>Nothing to show here.</source>
        <translation>Hier ist nichts zu zeigen.</translation>
    </message>
</context>
<context>
    <name>tilewright::views::TimeCanvas</name>
    <message>
        <source>W, S	zoom in, out (Shift: faster)</source>
        <translation>W, S	vergrößern, verkleinern (Umschalt: schneller)</translation>
    </message>
    <message>
        <source>A, D	pan (Shift: faster)</source>
        <translation>A, D	verschieben (Umschalt: schneller)</translation>
    </message>
    <message>
        <source>F	focus selection, again: all</source>
        <translation>F	Auswahl einpassen, noch einmal: alles</translation>
    </message>
    <message>
        <source>M	range from what is selected</source>
        <translation>M	Bereich aus der Auswahl</translation>
    </message>
    <message>
        <source>Z, Shift+Z	zoom back, forward</source>
        <translation>Z, Umschalt+Z	vorige, nächste Vergrößerung</translation>
    </message>
    <message>
        <source>G	go to a moment</source>
        <translation>G	zu einem Zeitpunkt gehen</translation>
    </message>
    <message>
        <source>Esc	clear</source>
        <translation>Esc	Auswahl aufheben</translation>
    </message>
    <message>
        <source>wheel	scroll</source>
        <translation>Rad	rollen</translation>
    </message>
    <message>
        <source>Ctrl+wheel	zoom at the pointer</source>
        <translation>Strg+Rad	am Zeiger vergrößern</translation>
    </message>
    <message>
        <source>Shift+wheel, middle drag	pan</source>
        <translation>Umschalt+Rad, mittlere Taste	verschieben</translation>
    </message>
    <message>
        <source>drag	select a range (Alt at its end: no snapping)</source>
        <translation>Ziehen	einen Bereich wählen (Alt am Ende: ohne Einrasten)</translation>
    </message>
    <message>
        <source>Alt+drag	zoom to a range</source>
        <translation>Alt+Ziehen	auf einen Bereich vergrößern</translation>
    </message>
    <message>
        <source>double click	fit what is there</source>
        <translation>Doppelklick	einpassen, was dort ist</translation>
    </message>
</context>
<context>
    <name>tilewright::views::TimeOverview</name>
    <message>
        <source>Overview of all time</source>
        <translation>Überblick über die ganze Zeit</translation>
    </message>
    <message>
        <source>all time shown</source>
        <translation>alle Zeit gezeigt</translation>
    </message>
    <message>
        <source>%1 % of all time</source>
        <translation>%1 % aller Zeit</translation>
    </message>
    <message>
        <source>%1 of %2 steps</source>
        <translation>%1 von %2 Schritten</translation>
    </message>
    <message>
        <source>all time</source>
        <translation>alle Zeit</translation>
    </message>
</context>
<context>
    <name>tilewright::views::TimePane</name>
    <message>
        <source>Scroll lanes</source>
        <translation>Spuren rollen</translation>
    </message>
    <message>
        <source>Go to</source>
        <translation>Gehe zu</translation>
    </message>
    <message>
        <source>A moment, for example 1.5 ms:</source>
        <translation>Ein Zeitpunkt, zum Beispiel 1.5 ms:</translation>
    </message>
    <message>
        <source>A moment, for example 12000, 1.5 ms or step 3:</source>
        <translation>Ein Zeitpunkt, zum Beispiel 12000, 1.5 ms oder step 3:</translation>
    </message>
</context>
<context>
    <name>tilewright::views::TimeRuler</name>
    <message>
        <source>Time ruler</source>
        <translation>Zeitlineal</translation>
    </message>
    <message>
        <source>Drag to measure</source>
        <translation>Ziehen misst</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>time here</source>
        <translation>Zeit hier</translation>
    </message>
    <message>
        <source>modelled time</source>
        <translation>modellierte Zeit</translation>
    </message>
    <message>
        <source>cycles</source>
        <translation>Takte</translation>
    </message>
</context>
<context>
    <name>tilewright::views::TrainingView</name>
    <message>
        <source>Progress of the run</source>
        <translation>Fortschritt des Laufs</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Predictions over the test data</source>
        <translation>Vorhersagen für die Testdaten</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>Konfiguration</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>Glättung</translation>
    </message>
    <message>
        <source>Smoothing of the curves</source>
        <translation>Glättung der Kurven</translation>
    </message>
    <message>
        <source>Exponential smoothing; the raw values stay visible (S)</source>
        <translation>Exponentielle Glättung; die rohen Werte bleiben sichtbar (S)</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>Logarithmisch</translation>
    </message>
    <message>
        <source>Logarithmic value axis (L)</source>
        <translation>Logarithmische Werteachse (L)</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Keep everything up to the newest step in sight (F)</source>
        <translation>Alles bis zum neuesten Schritt im Blick behalten (F)</translation>
    </message>
    <message>
        <source>No run yet. Open a project and run it, or open a report of a run.</source>
        <translation>Noch kein Lauf. Öffnen Sie ein Projekt und starten Sie es, oder öffnen Sie den Bericht eines Laufs.</translation>
    </message>
    <message>
        <source>No run yet: the report shown comes from a compile without a run.</source>
        <translation>Noch kein Lauf: Der gezeigte Bericht stammt von einer Kompilierung ohne Lauf.</translation>
    </message>
    <message>
        <source>No run yet.</source>
        <translation>Noch kein Lauf.</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>The project has changed since this run.</source>
        <translation>Das Projekt hat sich seit diesem Lauf geändert.</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>%1 of %2 sequences right (%3), %4 of their positions, with the weights of step %5. Down: true class, across: predicted; a click shows the samples of a cell.</source>
        <translation>%1 von %2 Folgen richtig (%3), %4 ihrer Stellen, mit den Gewichten von Schritt %5. Nach unten: wahre Klasse, nach rechts: vorhergesagte; ein Klick zeigt die Beispiele eines Felds.</translation>
    </message>
    <message>
        <source>%1 of %2 right (%3) with the weights of step %4. Down: true class, across: predicted; a click shows the samples of a cell.</source>
        <translation>%1 von %2 richtig (%3) mit den Gewichten von Schritt %4. Nach unten: wahre Klasse, nach rechts: vorhergesagte; ein Klick zeigt die Beispiele eines Felds.</translation>
    </message>
    <message>
        <source>Shown when an epoch has ended and there was time to look at the test data.</source>
        <translation>Erscheint, wenn eine Epoche beendet ist und Zeit war, die Testdaten anzusehen.</translation>
    </message>
    <message>
        <source>A row is added when an epoch has ended.</source>
        <translation>Nach jeder Epoche kommt eine Zeile hinzu.</translation>
    </message>
    <message>
        <source>The project holds trained weights; their run left no report.</source>
        <translation>Das Projekt hält trainierte Gewichte; ihr Lauf hat keinen Bericht hinterlassen.</translation>
    </message>
    <message>
        <source>The report on show holds no run. Run %1 has one.</source>
        <translation>Der gezeigte Bericht enthält keinen Lauf. Lauf %1 hat einen.</translation>
    </message>
    <message>
        <source>Show run %1</source>
        <translation>Lauf %1 zeigen</translation>
    </message>
    <message>
        <source>Run %1 left no report. %2</source>
        <translation>Lauf %1 hat keinen Bericht hinterlassen. %2</translation>
    </message>
    <message>
        <source>Run %1 left no report.</source>
        <translation>Lauf %1 hat keinen Bericht hinterlassen.</translation>
    </message>
</context>
<context>
    <name>tilewright::views::Treemap</name>
    <message>
        <source>No cycles to show</source>
        <translation>Keine Takte zu zeigen</translation>
    </message>
</context>
<context>
    <name>tilewright::views::UseHistogram</name>
    <message>
        <source>Tiles by the memory they use</source>
        <translation>Tiles nach benutztem Speicher</translation>
    </message>
    <message>
        <source>This report does not say what its tiles use.</source>
        <translation>Dieser Bericht sagt nicht, was seine Tiles benutzen.</translation>
    </message>
    <message>
        <source>used on a tile, from</source>
        <translation>benutzt auf einem Tile, ab</translation>
    </message>
    <message>
        <source>tiles</source>
        <translation>Tiles</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tile(s) use %1 to %2 (%3 to %4)</source>
        <translation>
            <numerusform>%Ln Tile benutzt %1 bis %2 (%3 bis %4)</numerusform>
            <numerusform>%Ln Tiles benutzen %1 bis %2 (%3 bis %4)</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of them selected</source>
        <translation>%1 davon ausgewählt</translation>
    </message>
</context>
<context>
    <name>tilewright::views::ValuesPane</name>
    <message>
        <source>Values on the tile</source>
        <translation>Werte auf dem Tile</translation>
    </message>
    <message>
        <source>Train in tile mode and pause: then every variable on the chosen tile is read here, byte by byte. In fused mode tiles hold no bytes of their own.</source>
        <translation>Trainieren Sie im Tile-Modus und halten Sie an: Dann wird hier jede Variable des gewählten Tiles Byte für Byte gelesen. Im Fused-Modus haben Tiles keine eigenen Bytes.</translation>
    </message>
    <message>
        <source>This run is fused: it computes with whole tensors, so tiles hold no bytes that could be read. Train in tile mode to see them.</source>
        <translation>Dieser Lauf ist fused: Er rechnet mit ganzen Tensoren, also enthalten Tiles keine Bytes, die man lesen könnte. Trainieren Sie im Tile-Modus, um sie zu sehen.</translation>
    </message>
    <message>
        <source>Pause the run to read the tile&apos;s memory.</source>
        <translation>Halten Sie den Lauf an, um zu lesen, was das Tile enthält.</translation>
    </message>
    <message>
        <source>Choose a tile to read it.</source>
        <translation>Wählen Sie ein Tile, um es zu lesen.</translation>
    </message>
    <message>
        <source>the start</source>
        <translation>der Anfang</translation>
    </message>
    <message>
        <source>liveness step %1</source>
        <translation>Liveness-Schritt %1</translation>
    </message>
    <message>
        <source>not a liveness step</source>
        <translation>kein Liveness-Schritt</translation>
    </message>
    <message>
        <source>%1 from tile %2</source>
        <translation>%1 von Tile %2</translation>
    </message>
    <message>
        <source>No exchange has run yet.</source>
        <translation>Noch ist kein Austausch gelaufen.</translation>
    </message>
    <message>
        <source>The last exchange (%1) brought nothing to this tile.</source>
        <translation>Der letzte Austausch (%1) brachte diesem Tile nichts.</translation>
    </message>
    <message>
        <source>The last exchange (%1) brought %2: %3%4</source>
        <translation>Der letzte Austausch (%1) brachte %2: %3%4</translation>
    </message>
    <message>
        <source>Reading tile %1 …</source>
        <translation>Tile %1 wird gelesen …</translation>
    </message>
    <message>
        <source>After %1</source>
        <translation>Nach %1</translation>
    </message>
    <message>
        <source>%1: %2 (%3)</source>
        <translation>%1: %2 (%3)</translation>
    </message>
    <message numerus="yes">
        <source> and %Ln tile(s) more</source>
        <translation>
            <numerusform> und von %Ln weiteren Tile</numerusform>
            <numerusform> und von %Ln weiteren Tiles</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>views</name>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n Schicht</numerusform>
            <numerusform>%n Schichten</numerusform>
        </translation>
    </message>
    <message>
        <source>Compiled: the model fits.</source>
        <translation>Kompiliert: Das Modell passt.</translation>
    </message>
    <message>
        <source>Training stopped at step %1: loss %2.</source>
        <translation>Training angehalten bei Schritt %1: Loss %2.</translation>
    </message>
    <message numerus="yes">
        <source>%n IPU(s)</source>
        <translation>
            <numerusform>%n IPU</numerusform>
            <numerusform>%n IPUs</numerusform>
        </translation>
    </message>
    <message>
        <source>Canvas</source>
        <translation>Zeichenfläche</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>%1 lässt sich nicht schreiben: %2</translation>
    </message>
    <message>
        <source>this name belongs to a folder, a link, a device or a pipe. Choose another.</source>
        <translation>dieser Name gehört einem Ordner, einer Verknüpfung, einem Gerät oder einer Pipe. Wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>the picture could not be encoded</source>
        <translation>das Bild konnte nicht kodiert werden</translation>
    </message>
    <message>
        <source>The pattern %1 needs a second /.</source>
        <translation>Dem Muster %1 fehlt ein zweites /.</translation>
    </message>
    <message>
        <source>The pattern cannot be read: %1.</source>
        <translation>Das Muster ist nicht lesbar: %1.</translation>
    </message>
    <message>
        <source>There is no column &apos;%1&apos;.</source>
        <translation>Es gibt keine Spalte „%1“.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no number.</source>
        <translation>„%1“ ist keine Zahl.</translation>
    </message>
    <message>
        <source>Filter: words, -not, a,b, column&gt;value, /pattern/</source>
        <translation>Filter: Wörter, -nicht, a,b, Spalte&gt;Wert, /Muster/</translation>
    </message>
    <message>
        <source>Filter of %1</source>
        <translation>Filter von %1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>Als CSV kopieren</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <source>Expand all</source>
        <translation>Alles aufklappen</translation>
    </message>
    <message>
        <source>Collapse all</source>
        <translation>Alles einklappen</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>Kompilieren</translation>
    </message>
    <message>
        <source>IPU configuration</source>
        <translation>IPU-Konfiguration</translation>
    </message>
    <message>
        <source>Console</source>
        <translation>Konsole</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Execution</source>
        <translation>Ausführung</translation>
    </message>
    <message>
        <source>tile %1 of IPU %2</source>
        <translation>Tile %1 von IPU %2</translation>
    </message>
    <message>
        <source>Cause: %1. </source>
        <translation>Ursache: %1. </translation>
    </message>
    <message>
        <source>Largest there: %1.</source>
        <translation>Am größten dort: %1.</translation>
    </message>
    <message>
        <source>Nearly full: %1 holds %2 of %3 (%4)</source>
        <translation>Fast voll: %1 enthält %2 von %3 (%4)</translation>
    </message>
    <message>
        <source>The executable region of %1 has only %2 left</source>
        <translation>Im Codebereich von %1 sind nur noch %2 frei</translation>
    </message>
    <message>
        <source>IPU %1 carries more than the others: %2 on its worst tile, %3 on average</source>
        <translation>IPU %1 trägt mehr als die anderen: %2 auf ihrem vollsten Tile, im Mittel %3</translation>
    </message>
    <message>
        <source>At its peak (liveness step %1) %2 holds %3 live</source>
        <translation>An seiner Spitze (Liveness-Schritt %1) sind auf %2 %3 live</translation>
    </message>
    <message>
        <source>Largest of it: %1.</source>
        <translation>Am größten davon: %1.</translation>
    </message>
    <message>
        <source>Code takes %1 of what %2 always holds</source>
        <translation>Code nimmt %1 dessen ein, was %2 immer enthält</translation>
    </message>
    <message>
        <source>32-bit variables fill %1 of %2</source>
        <translation>Variablen in 32 Bit füllen %1 von %2</translation>
    </message>
    <message>
        <source>%1 is uneven: its tiles are %2 as busy as the slowest</source>
        <translation>%1 ist ungleichmäßig: Ihre Tiles sind %2 so beschäftigt wie das langsamste</translation>
    </message>
    <message>
        <source>%1 uses %2 of %3 tiles</source>
        <translation>%1 benutzt %2 von %3 Tiles</translation>
    </message>
    <message>
        <source>Bound by exchange: moving data takes %1 of a step, more than computing</source>
        <translation>Durch Austausch begrenzt: Daten zu bewegen nimmt %1 eines Schritts, mehr als das Rechnen</translation>
    </message>
    <message>
        <source>IPU %1 exchanges for %2 and computes for %3.</source>
        <translation>IPU %1 tauscht %2 lang aus und rechnet %3 lang.</translation>
    </message>
    <message>
        <source> Most of it: %1, %2.</source>
        <translation> Das meiste davon: %1, %2.</translation>
    </message>
    <message>
        <source>Barriers take %1 of a step</source>
        <translation>Barrieren nehmen %1 eines Schritts</translation>
    </message>
    <message>
        <source>Transfers from and to the host take %1 of a step</source>
        <translation>Übertragungen vom und zum Host nehmen %1 eines Schritts</translation>
    </message>
    <message>
        <source>The program is started for every single step</source>
        <translation>Das Programm wird für jeden einzelnen Schritt gestartet</translation>
    </message>
    <message>
        <source>%1 needs more temporary memory than it was given</source>
        <translation>%1 braucht mehr vorübergehenden Speicher, als ihm gegeben wurde</translation>
    </message>
    <message>
        <source>Its best plan takes %1, %2 of a tile; %3 are allowed.</source>
        <translation>Sein bester Plan nimmt %1, %2 eines Tiles; %3 sind erlaubt.</translation>
    </message>
    <message>
        <source>%1 takes %2 times what its arithmetic needs</source>
        <translation>%1 dauert %2-mal so lange, wie sein Rechnen braucht</translation>
    </message>
    <message>
        <source>Stage %1 is the slowest: the others wait for it</source>
        <translation>Stufe %1 ist die langsamste: Die anderen warten auf sie</translation>
    </message>
    <message>
        <source>Finding “%1”</source>
        <translation>Hinweis „%1“</translation>
    </message>
    <message>
        <source>The report holds no figures for it.</source>
        <translation>Der Bericht hat keine Zahlen dazu.</translation>
    </message>
    <message>
        <source>IPU %1</source>
        <translation>IPU %1</translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>The schedule</source>
        <translation>Der Ablauf</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>Konfiguration</translation>
    </message>
    <message>
        <source>up to %1, %2 of a step</source>
        <translation>bis zu %1, %2 eines Schritts</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>bis zu %1</translation>
    </message>
    <message>
        <source>%1 too much on the worst tile</source>
        <translation>%1 zu viel auf dem vollsten Tile</translation>
    </message>
    <message>
        <source>up to %1 on the worst tile</source>
        <translation>bis zu %1 auf dem vollsten Tile</translation>
    </message>
    <message>
        <source>%1 (modelled)</source>
        <translation>%1 (modelliert)</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Exchange in the IPU</source>
        <translation>Austausch in der IPU</translation>
    </message>
    <message>
        <source>Exchange between IPUs</source>
        <translation>Austausch zwischen IPUs</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>Streams</translation>
    </message>
    <message>
        <source>Sync</source>
        <translation>Sync</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>Neuberechnung</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Anderes</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Graph operations</source>
        <translation>Operationen des Graphen</translation>
    </message>
    <message>
        <source>Library routines</source>
        <translation>Bibliotheksroutinen</translation>
    </message>
    <message>
        <source>Compute sets and transfers</source>
        <translation>Compute-Sets und Übertragungen</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>Folge</translation>
    </message>
    <message>
        <source>Repeat</source>
        <translation>Wiederholung</translation>
    </message>
    <message>
        <source>Repeat while</source>
        <translation>Wiederholung, solange</translation>
    </message>
    <message>
        <source>If</source>
        <translation>Wenn</translation>
    </message>
    <message>
        <source>Switch</source>
        <translation>Verzweigung</translation>
    </message>
    <message>
        <source>Switch per tile</source>
        <translation>Verzweigung je Tile</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>Compute set</source>
        <translation>Compute-Set</translation>
    </message>
    <message>
        <source>Exchange</source>
        <translation>Austausch</translation>
    </message>
    <message>
        <source>Stream begin</source>
        <translation>Stream-Beginn</translation>
    </message>
    <message>
        <source>Stream copy</source>
        <translation>Stream-Kopie</translation>
    </message>
    <message>
        <source>Stream end</source>
        <translation>Stream-Ende</translation>
    </message>
    <message>
        <source>Sync in the IPU</source>
        <translation>Sync in der IPU</translation>
    </message>
    <message>
        <source>Sync of IPUs</source>
        <translation>Sync der IPUs</translation>
    </message>
    <message>
        <source>Collective</source>
        <translation>Kollektive Operation</translation>
    </message>
    <message>
        <source>Write undefined</source>
        <translation>Undefiniert schreiben</translation>
    </message>
    <message>
        <source>Assume equal</source>
        <translation>Gleich annehmen</translation>
    </message>
    <message>
        <source>Set consensus</source>
        <translation>Einigung</translation>
    </message>
    <message>
        <source>Abort</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Trap</source>
        <translation>Trap</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>Funktion</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>Optimizer state</source>
        <translation>Zustand des Optimierers</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>Aktivierung</translation>
    </message>
    <message>
        <source>Gradient</source>
        <translation>Gradient</translation>
    </message>
    <message>
        <source>Accumulator</source>
        <translation>Akkumulator</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingang</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>Konstante</translation>
    </message>
    <message>
        <source>Partial sum</source>
        <translation>Teilsumme</translation>
    </message>
    <message>
        <source>Temporary</source>
        <translation>Zwischenwert</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>Constants</source>
        <translation>Konstanten</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgänge</translation>
    </message>
    <message>
        <source>Vertex code</source>
        <translation>Vertexcode</translation>
    </message>
    <message>
        <source>Vertex state</source>
        <translation>Vertexzustand</translation>
    </message>
    <message>
        <source>Vertex fields</source>
        <translation>Vertexfelder</translation>
    </message>
    <message>
        <source>Exchange code</source>
        <translation>Austauschcode</translation>
    </message>
    <message>
        <source>Code of exchanges between IPUs</source>
        <translation>Code des Austauschs zwischen IPUs</translation>
    </message>
    <message>
        <source>Code of host exchanges</source>
        <translation>Code des Austauschs mit dem Host</translation>
    </message>
    <message>
        <source>Packet headers between IPUs</source>
        <translation>Paketköpfe zwischen IPUs</translation>
    </message>
    <message>
        <source>Packet headers to the host</source>
        <translation>Paketköpfe zum Host</translation>
    </message>
    <message>
        <source>Exchange buffers</source>
        <translation>Austauschpuffer</translation>
    </message>
    <message>
        <source>Rearrangement</source>
        <translation>Umordnung</translation>
    </message>
    <message>
        <source>Control code</source>
        <translation>Steuercode</translation>
    </message>
    <message>
        <source>Control tables</source>
        <translation>Steuertabellen</translation>
    </message>
    <message>
        <source>Control ids</source>
        <translation>Steuerkennungen</translation>
    </message>
    <message>
        <source>Copy descriptors</source>
        <translation>Kopierbeschreibungen</translation>
    </message>
    <message>
        <source>Vector descriptors</source>
        <translation>Vektorbeschreibungen</translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>Stack</translation>
    </message>
    <message>
        <source>Instrumentation</source>
        <translation>Instrumentierung</translation>
    </message>
    <message>
        <source>Shared code</source>
        <translation>Gemeinsamer Code</translation>
    </message>
    <message>
        <source>not interleaved</source>
        <translation>nicht verschränkt</translation>
    </message>
    <message>
        <source>interleaved</source>
        <translation>verschränkt</translation>
    </message>
    <message>
        <source>beyond the tile</source>
        <translation>jenseits des Tiles</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>Rat</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>Vorhersage</translation>
    </message>
    <message>
        <source>Schedule of one step</source>
        <translation>Ablauf eines Schritts</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Unterbrochen</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Erledigt</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Maschine</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Liveness</source>
        <translation>Liveness</translation>
    </message>
    <message>
        <source>Runs and timeline</source>
        <translation>Läufe und Zeitverlauf</translation>
    </message>
    <message>
        <source>Compile log</source>
        <translation>Protokoll des Kompilierens</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>Reihen</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Insights</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>more bytes than the tile has</source>
        <translation>mehr Bytes, als das Tile hat</translation>
    </message>
    <message>
        <source>more code than the executable region holds</source>
        <translation>mehr Code, als der Codebereich fasst</translation>
    </message>
    <message>
        <source>more interleaved data than its region holds</source>
        <translation>mehr verschränkte Daten, als ihr Bereich fasst</translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>modelliert</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>geschätzt</translation>
    </message>
    <message>
        <source>measured here</source>
        <translation>hier gemessen</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>exchange</source>
        <translation>Austausch</translation>
    </message>
    <message>
        <source>streams</source>
        <translation>Streams</translation>
    </message>
    <message>
        <source>sync</source>
        <translation>Sync</translation>
    </message>
    <message>
        <source>Absent</source>
        <translation>Nicht da</translation>
    </message>
    <message>
        <source>Being written</source>
        <translation>Wird geschrieben</translation>
    </message>
    <message>
        <source>Complete</source>
        <translation>Vollständig</translation>
    </message>
    <message>
        <source>Truncated</source>
        <translation>Abgeschnitten</translation>
    </message>
    <message>
        <source>Tile %1</source>
        <translation>Tile %1</translation>
    </message>
    <message>
        <source>IPU %1, tile %2</source>
        <translation>IPU %1, Tile %2</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>%1 umbenennen</translation>
    </message>
    <message>
        <source>There is no layer “%1”.</source>
        <translation>Es gibt keine Schicht „%1“.</translation>
    </message>
    <message>
        <source>The model has no layer named “%1”.</source>
        <translation>Das Modell hat keine Schicht namens „%1“.</translation>
    </message>
    <message>
        <source>The model is functional now: %1</source>
        <translation>Das Modell ist jetzt funktional: %1</translation>
    </message>
    <message>
        <source>A Sequential model is one chain from its input to its output.</source>
        <translation>Ein Sequential-Modell ist eine Kette von seinem Eingang bis zu seinem Ausgang.</translation>
    </message>
    <message>
        <source>“%1” is used several times.</source>
        <translation>„%1“ wird mehrmals benutzt.</translation>
    </message>
    <message>
        <source>“%1” has several inputs.</source>
        <translation>„%1“ hat mehrere Eingänge.</translation>
    </message>
    <message>
        <source>“%1” is not connected with “%2”.</source>
        <translation>„%1“ ist nicht mit „%2“ verbunden.</translation>
    </message>
    <message>
        <source>“%1” feeds several layers.</source>
        <translation>„%1“ speist mehrere Schichten.</translation>
    </message>
    <message>
        <source>The layers do not form a single chain.</source>
        <translation>Die Schichten sind keine einzelne Kette.</translation>
    </message>
    <message>
        <source>The model is Sequential now.</source>
        <translation>Das Modell ist jetzt Sequential.</translation>
    </message>
    <message>
        <source>%1 needs %2: %3.</source>
        <translation>%1 braucht %2: %3.</translation>
    </message>
    <message>
        <source>Type a value after the name of the layer.</source>
        <translation>Geben Sie hinter dem Namen der Schicht einen Wert ein.</translation>
    </message>
    <message>
        <source>%1 has no argument “%2”.</source>
        <translation>%1 hat kein Argument „%2“.</translation>
    </message>
    <message>
        <source>%1 has no argument left that takes the number %2.</source>
        <translation>%1 hat kein Argument mehr, das die Zahl %2 nähme.</translation>
    </message>
    <message>
        <source>%1 does not know “%2”.</source>
        <translation>%1 kennt „%2“ nicht.</translation>
    </message>
    <message>
        <source>%1 is not supported yet.</source>
        <translation>%1 wird noch nicht unterstützt.</translation>
    </message>
    <message>
        <source>The palette lists the layers there are.</source>
        <translation>Die Palette zählt auf, welche Schichten es gibt.</translation>
    </message>
    <message>
        <source>“%1” may be %2.</source>
        <translation>„%1“ kann %2 sein.</translation>
    </message>
    <message>
        <source>Type more of the name.</source>
        <translation>Geben Sie mehr vom Namen ein.</translation>
    </message>
    <message>
        <source>A layer cannot be added 0 times.</source>
        <translation>Eine Schicht lässt sich nicht 0-mal hinzufügen.</translation>
    </message>
    <message>
        <source>A layer is missing.</source>
        <translation>Eine Schicht fehlt.</translation>
    </message>
    <message>
        <source>Type one like: dense 128 relu</source>
        <translation>Geben Sie eine ein wie: dense 128 relu</translation>
    </message>
    <message>
        <source>%1: no arguments</source>
        <translation>%1: keine Argumente</translation>
    </message>
    <message>
        <source>%1 takes several inputs.</source>
        <translation>%1 nimmt mehrere Eingänge.</translation>
    </message>
    <message>
        <source>a Sequential model has one input.</source>
        <translation>ein Sequential-Modell hat einen Eingang.</translation>
    </message>
    <message>
        <source>An input layer takes no input.</source>
        <translation>Eine Eingangsschicht nimmt keinen Eingang.</translation>
    </message>
    <message>
        <source>Inputs are fed from outside the model.</source>
        <translation>Eingänge werden von außerhalb des Modells gespeist.</translation>
    </message>
    <message>
        <source>“%1” does not feed “%2” any more.</source>
        <translation>„%1“ speist „%2“ nicht mehr.</translation>
    </message>
    <message>
        <source>Choose a connection that is there.</source>
        <translation>Wählen Sie eine Verbindung, die es gibt.</translation>
    </message>
    <message>
        <source>one of its layers is not connected yet.</source>
        <translation>eine seiner Schichten ist noch nicht verbunden.</translation>
    </message>
    <message>
        <source>“%1” feeds “%2” already.</source>
        <translation>„%1“ speist „%2“ schon.</translation>
    </message>
    <message>
        <source>“%1” cannot feed itself.</source>
        <translation>„%1“ kann sich nicht selbst speisen.</translation>
    </message>
    <message>
        <source>That would be a cycle: “%1” already depends on “%2”.</source>
        <translation>Das wäre ein Kreis: „%1“ hängt schon von „%2“ ab.</translation>
    </message>
    <message>
        <source>Data flow one way through a model.</source>
        <translation>Daten fließen in einer Richtung durch ein Modell.</translation>
    </message>
    <message numerus="yes">
        <source>%1 takes %n input(s), and “%2” has them already.</source>
        <translation>
            <numerusform>%1 nimmt %n Eingang, und „%2“ hat ihn schon.</numerusform>
            <numerusform>%1 nimmt %n Eingänge, und „%2“ hat sie schon.</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove its connection first, or join the two with an Add or Concatenate.</source>
        <translation>Entfernen Sie zuerst seine Verbindung, oder führen Sie die beiden mit Add oder Concatenate zusammen.</translation>
    </message>
    <message>
        <source>a Sequential one has no other connections than from each layer to the next.</source>
        <translation>ein Sequential-Modell hat keine anderen Verbindungen als von jeder Schicht zur nächsten.</translation>
    </message>
    <message>
        <source>in a Sequential one each layer feeds the next.</source>
        <translation>in einem Sequential-Modell speist jede Schicht die nächste.</translation>
    </message>
    <message>
        <source>The layers after it have lost an input: no single layer can replace it.</source>
        <translation>Was sie speiste, hat einen Eingang verloren: Keine einzelne Schicht kann an ihre Stelle treten.</translation>
    </message>
    <message>
        <source>No layer is selected.</source>
        <translation>Keine Schicht ist ausgewählt.</translation>
    </message>
    <message>
        <source>Select one or more layers first.</source>
        <translation>Wählen Sie zuerst eine oder mehrere Schichten.</translation>
    </message>
    <message>
        <source>A layer needs a name.</source>
        <translation>Eine Schicht braucht einen Namen.</translation>
    </message>
    <message>
        <source>Another layer is named “%1”.</source>
        <translation>Eine andere Schicht heißt schon „%1“.</translation>
    </message>
    <message>
        <source>Names of layers must differ.</source>
        <translation>Namen von Schichten müssen sich unterscheiden.</translation>
    </message>
    <message>
        <source>In a functional model the connections give the order.</source>
        <translation>In einem funktionalen Modell geben die Verbindungen die Reihenfolge vor.</translation>
    </message>
    <message>
        <source>Change its connections on the canvas.</source>
        <translation>Ändern Sie die Verbindungen auf der Zeichenfläche.</translation>
    </message>
    <message>
        <source>“%1” cannot move further.</source>
        <translation>„%1“ kann nicht weiter verschoben werden.</translation>
    </message>
    <message>
        <source>A Sequential model has one input.</source>
        <translation>Ein Sequential-Modell hat einen Eingang.</translation>
    </message>
    <message>
        <source>There are no layers on the clipboard.</source>
        <translation>In der Zwischenablage sind keine Schichten.</translation>
    </message>
    <message>
        <source>the pasted layers branch.</source>
        <translation>die eingefügten Schichten verzweigen sich.</translation>
    </message>
    <message>
        <source>the output of a Sequential one is its last layer.</source>
        <translation>der Ausgang eines Sequential-Modells ist seine letzte Schicht.</translation>
    </message>
    <message>
        <source>“%1” is the only output of the model.</source>
        <translation>„%1“ ist der einzige Ausgang des Modells.</translation>
    </message>
    <message>
        <source>Make another layer an output first.</source>
        <translation>Machen Sie zuerst eine andere Schicht zum Ausgang.</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>Skalar</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>This class is not known here: the layer is kept as it is.</source>
        <translation>Diese Klasse ist hier nicht bekannt: Die Schicht bleibt, wie sie ist.</translation>
    </message>
    <message>
        <source>output %1</source>
        <translation>Ausgang %1</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 Parameter</translation>
    </message>
    <message>
        <source>estimated: weights %1, optimizer %2, activations %3</source>
        <translation>geschätzt: Gewichte %1, Optimierer %2, Aktivierungen %3</translation>
    </message>
    <message>
        <source>pipeline stage %1</source>
        <translation>Pipeline-Stufe %1</translation>
    </message>
    <message>
        <source>Remove “%1”</source>
        <translation>„%1“ entfernen</translation>
    </message>
    <message>
        <source>Join its inputs with %1</source>
        <translation>Seine Eingänge mit %1 zusammenführen</translation>
    </message>
    <message>
        <source>Put a Flatten before it</source>
        <translation>Ein Flatten davorsetzen</translation>
    </message>
    <message>
        <source>Add an input layer…</source>
        <translation>Eine Eingangsschicht hinzufügen…</translation>
    </message>
    <message>
        <source>Show the training plan</source>
        <translation>Den Trainingsplan zeigen</translation>
    </message>
    <message>
        <source>Show the configuration</source>
        <translation>Die Konfiguration zeigen</translation>
    </message>
    <message>
        <source>Propose stages that share the work evenly</source>
        <translation>Stufen vorschlagen, die die Arbeit gleich verteilen</translation>
    </message>
    <message>
        <source>Remove all stages</source>
        <translation>Alle Stufen entfernen</translation>
    </message>
    <message>
        <source>Make it an output of the model</source>
        <translation>Zum Ausgang des Modells machen</translation>
    </message>
    <message>
        <source>Make it an input of the model</source>
        <translation>Zum Eingang des Modells machen</translation>
    </message>
    <message>
        <source>Connect it with “%1”</source>
        <translation>Mit „%1“ verbinden</translation>
    </message>
    <message>
        <source>Change it to %1</source>
        <translation>In %1 ändern</translation>
    </message>
    <message>
        <source>Leave the unknown arguments out</source>
        <translation>Die unbekannten Argumente weglassen</translation>
    </message>
    <message>
        <source>Show its arguments</source>
        <translation>Ihre Argumente zeigen</translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation>Monitor</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>Projekt</translation>
    </message>
    <message>
        <source>Training plan</source>
        <translation>Trainingsplan</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>varies</source>
        <translation>verschieden</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Choose a file or folder</source>
        <translation>Datei oder Ordner wählen</translation>
    </message>
    <message>
        <source>Choose a file or folder for %1</source>
        <translation>Datei oder Ordner für %1 wählen</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>Ordner wählen…</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Datei wählen</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>, %1 to %2</source>
        <translation>, %1 bis %2</translation>
    </message>
    <message>
        <source>, at least %1</source>
        <translation>, mindestens %1</translation>
    </message>
    <message>
        <source>A schedule is written as %1; the help lists them.</source>
        <translation>Ein Verlauf wird als %1 geschrieben; die Hilfe zählt sie auf.</translation>
    </message>
    <message>
        <source>, at most %1</source>
        <translation>, höchstens %1</translation>
    </message>
    <message>
        <source>yes or no</source>
        <translation>ja oder nein</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>eine ganze Zahl</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>one of %1</source>
        <translation>eines von %1</translation>
    </message>
    <message>
        <source>a name, or a whole description as JSON</source>
        <translation>ein Name oder eine ganze Beschreibung als JSON</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>a file or folder</source>
        <translation>eine Datei oder ein Ordner</translation>
    </message>
    <message>
        <source>a list or dictionary</source>
        <translation>eine Liste oder ein Wörterbuch</translation>
    </message>
    <message>
        <source>%1, or none</source>
        <translation>%1 oder nichts</translation>
    </message>
    <message>
        <source>unit: %1</source>
        <translation>Einheit: %1</translation>
    </message>
    <message>
        <source>required</source>
        <translation>nötig</translation>
    </message>
    <message>
        <source>empty by default</source>
        <translation>Vorgabe leer</translation>
    </message>
    <message>
        <source>default: %1</source>
        <translation>Vorgabe: %1</translation>
    </message>
    <message>
        <source>a list of whole numbers</source>
        <translation>eine Liste ganzer Zahlen</translation>
    </message>
    <message>
        <source>a list of numbers</source>
        <translation>eine Liste von Zahlen</translation>
    </message>
    <message>
        <source>a list of extents, the batch first; null: not fixed</source>
        <translation>eine Liste von Ausdehnungen, der Batch zuerst; null: nicht festgelegt</translation>
    </message>
    <message>
        <source>deprecated</source>
        <translation>überholt</translation>
    </message>
    <message>
        <source>no effect yet</source>
        <translation>noch ohne Wirkung</translation>
    </message>
    <message>
        <source>a dictionary of texts</source>
        <translation>ein Wörterbuch von Texten</translation>
    </message>
    <message>
        <source>a whole number or a list of them</source>
        <translation>eine ganze Zahl oder eine Liste davon</translation>
    </message>
    <message>
        <source>%1 (no effect yet)</source>
        <translation>%1 (noch ohne Wirkung)</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Every layer</source>
        <translation>Jede Schicht</translation>
    </message>
    <message>
        <source>Name of the layer; every link to it follows.</source>
        <translation>Name der Schicht; jeder Verweis auf sie folgt.</translation>
    </message>
    <message>
        <source>Report log</source>
        <translation>Berichtsprotokoll</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>Unbenannt</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>%1 setzen</translation>
    </message>
    <message>
        <source>Headline</source>
        <translation>Überschrift</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>Passt</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>Passt nicht</translation>
    </message>
    <message>
        <source>every tile</source>
        <translation>jedes Tile</translation>
    </message>
    <message>
        <source>Worst tile</source>
        <translation>Vollstes Tile</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation>Beispiele je Sekunde</translation>
    </message>
    <message>
        <source>%1 in a step</source>
        <translation>%1 in einem Schritt</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>of the time spent computing</source>
        <translation>der Zeit mit Rechnen verbracht</translation>
    </message>
    <message>
        <source>Bubbles</source>
        <translation>Blasen</translation>
    </message>
    <message>
        <source>of the pipeline&apos;s time</source>
        <translation>der Zeit der Pipeline</translation>
    </message>
    <message>
        <source>Step on this computer</source>
        <translation>Schritt auf diesem Rechner</translation>
    </message>
    <message>
        <source>too much: %1, %2</source>
        <translation>zu viel: %1, %2</translation>
    </message>
    <message>
        <source>on that tile at its peak</source>
        <translation>auf diesem Tile an seiner Spitze</translation>
    </message>
    <message>
        <source>Emulated IPU</source>
        <translation>Emulierte IPU</translation>
    </message>
    <message>
        <source>IPU model</source>
        <translation>IPU-Modell</translation>
    </message>
    <message>
        <source>IPUs</source>
        <translation>IPUs</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Replikas</translation>
    </message>
    <message>
        <source>IPUs of a replica</source>
        <translation>IPUs einer Replika</translation>
    </message>
    <message>
        <source>Tiles of an IPU</source>
        <translation>Tiles einer IPU</translation>
    </message>
    <message>
        <source>Tiles for input and output</source>
        <translation>Tiles für Ein- und Ausgabe</translation>
    </message>
    <message>
        <source>Memory of a tile</source>
        <translation>Speicher eines Tiles</translation>
    </message>
    <message>
        <source>Memory of an IPU</source>
        <translation>Speicher einer IPU</translation>
    </message>
    <message>
        <source>Streaming memory</source>
        <translation>Streaming Memory</translation>
    </message>
    <message>
        <source>Worker threads of a tile</source>
        <translation>Worker-Threads eines Tiles</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Takt</translation>
    </message>
    <message>
        <source>Sync in an IPU</source>
        <translation>Sync in einer IPU</translation>
    </message>
    <message>
        <source>Exchange of a tile</source>
        <translation>Austausch eines Tiles</translation>
    </message>
    <message>
        <source>%1 bytes per cycle</source>
        <translation>%1 Byte je Takt</translation>
    </message>
    <message>
        <source>Program steps</source>
        <translation>Programmschritte</translation>
    </message>
    <message>
        <source>Compute sets</source>
        <translation>Compute-Sets</translation>
    </message>
    <message>
        <source>Vertices</source>
        <translation>Vertices</translation>
    </message>
    <message>
        <source>Exchanges</source>
        <translation>Austausche</translation>
    </message>
    <message>
        <source>Floating-point operations of a step</source>
        <translation>Gleitkommaoperationen eines Schritts</translation>
    </message>
    <message>
        <source>Bytes on all tiles, without gaps</source>
        <translation>Bytes auf allen Tiles, ohne Lücken</translation>
    </message>
    <message>
        <source>Bytes on all tiles, with gaps</source>
        <translation>Bytes auf allen Tiles, mit Lücken</translation>
    </message>
    <message>
        <source>Code on all tiles</source>
        <translation>Code auf allen Tiles</translation>
    </message>
    <message>
        <source>Made (UTC)</source>
        <translation>Erstellt (UTC)</translation>
    </message>
    <message>
        <source>Compile time</source>
        <translation>Zeit des Kompilierens</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Executable</source>
        <translation>Executable</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Came from report</source>
        <translation>Kam von Bericht</translation>
    </message>
    <message>
        <source>compiled, not run</source>
        <translation>kompiliert, nicht gelaufen</translation>
    </message>
    <message>
        <source>tile by tile</source>
        <translation>Tile für Tile</translation>
    </message>
    <message>
        <source>fused on the host</source>
        <translation>fused auf dem Host</translation>
    </message>
    <message>
        <source>Computer: %1</source>
        <translation>Rechner: %1</translation>
    </message>
    <message>
        <source>%1 a step, %2 (%3)</source>
        <translation>%1 je Schritt, %2 (%3)</translation>
    </message>
    <message>
        <source>%1Hz</source>
        <translation>%1Hz</translation>
    </message>
    <message>
        <source>same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>verschieden</translation>
    </message>
    <message>
        <source>%1 (better)</source>
        <translation>%1 (besser)</translation>
    </message>
    <message>
        <source>%1 (worse)</source>
        <translation>%1 (schlechter)</translation>
    </message>
    <message>
        <source>Fits: worst tile %1</source>
        <translation>Passt: vollstes Tile %1</translation>
    </message>
    <message>
        <source>Does not fit: %1</source>
        <translation>Passt nicht: %1</translation>
    </message>
    <message>
        <source>measured on the tiles</source>
        <translation>auf den Tiles gemessen</translation>
    </message>
    <message>
        <source>%1 a step (%2)</source>
        <translation>%1 je Schritt (%2)</translation>
    </message>
    <message>
        <source>%1 samples/s</source>
        <translation>%1 Beispiele/s</translation>
    </message>
    <message>
        <source>computes %1 of the time</source>
        <translation>rechnet %1 der Zeit</translation>
    </message>
    <message>
        <source>bubbles %1</source>
        <translation>Blasen %1</translation>
    </message>
    <message>
        <source>This report holds no compiled program</source>
        <translation>Dieser Bericht enthält kein kompiliertes Programm</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>What does not fit</source>
        <translation>Was nicht passt</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Provenance</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Exact value</source>
        <translation>Genauer Wert</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Vergleichsbasis</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>IPU</source>
        <translation>IPU</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Schwere</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Gegenstand</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>Gewinn</translation>
    </message>
    <message>
        <source>Options that differ from their default</source>
        <translation>Optionen, die von ihrer Vorgabe abweichen</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>Geltung</translation>
    </message>
    <message>
        <source>Option</source>
        <translation>Option</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>A comma is missing before &quot;%1&quot;.</source>
        <translation>Vor „%1“ fehlt ein Komma.</translation>
    </message>
    <message>
        <source>A tile, a range or a size is missing.</source>
        <translation>Ein Tile, ein Bereich oder eine Größe fehlt.</translation>
    </message>
    <message>
        <source>There is no tile %1: tiles are 0 to %2.</source>
        <translation>Es gibt kein Tile %1: Tiles gehen von 0 bis %2.</translation>
    </message>
    <message>
        <source>The worst tile is not known.</source>
        <translation>Das vollste Tile ist nicht bekannt.</translation>
    </message>
    <message>
        <source>This machine has no IO tiles.</source>
        <translation>Diese Maschine hat keine I/O-Tiles.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a tile. Write tiles as 7, 0-63, ipu3, ipu3:0-63, &gt;600k, &gt;90%, worst or all.</source>
        <translation>„%1“ ist kein Tile. Schreiben Sie Tiles als 7, 0-63, ipu3, ipu3:0-63, &gt;600k, &gt;90%, worst oder all.</translation>
    </message>
    <message>
        <source>The number of the IPU is missing: write ipu0.</source>
        <translation>Die Nummer der IPU fehlt: Schreiben Sie ipu0.</translation>
    </message>
    <message>
        <source>There is no IPU %1: IPUs are 0 to %2.</source>
        <translation>Es gibt keine IPU %1: IPUs gehen von 0 bis %2.</translation>
    </message>
    <message>
        <source>A tile or a range is missing after the colon.</source>
        <translation>Hinter dem Doppelpunkt fehlt ein Tile oder ein Bereich.</translation>
    </message>
    <message>
        <source>There is no tile %1 on an IPU: they are 0 to %2.</source>
        <translation>Es gibt kein Tile %1 auf einer IPU: Sie gehen von 0 bis %2.</translation>
    </message>
    <message>
        <source>The bytes of the tiles are not known here.</source>
        <translation>Die Bytes der Tiles sind hier nicht bekannt.</translation>
    </message>
    <message>
        <source>A size is missing, such as 600k or 90%.</source>
        <translation>Eine Größe fehlt, etwa 600k oder 90%.</translation>
    </message>
    <message>
        <source>The limit of a tile is not known, so a share of it cannot be taken.</source>
        <translation>Die Grenze eines Tiles ist nicht bekannt, also gibt es keinen Anteil davon.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a unit: write k, M, KiB, MiB, kB, MB or %.</source>
        <translation>„%1“ ist keine Einheit: Schreiben Sie k, M, KiB, MiB, kB, MB oder %.</translation>
    </message>
    <message>
        <source>The end of the range is missing.</source>
        <translation>Das Ende des Bereichs fehlt.</translation>
    </message>
    <message>
        <source>There are no tiles to choose from.</source>
        <translation>Es gibt keine Tiles zur Auswahl.</translation>
    </message>
    <message>
        <source>tile %1</source>
        <translation>Tile %1</translation>
    </message>
    <message>
        <source>tile %1 (IPU %2, %3)</source>
        <translation>Tile %1 (IPU %2, %3)</translation>
    </message>
    <message>
        <source>The model has no layers yet</source>
        <translation>Das Modell hat noch keine Schichten</translation>
    </message>
    <message>
        <source>will fit: worst tile %1, estimated</source>
        <translation>wird passen: vollstes Tile %1, geschätzt</translation>
    </message>
    <message>
        <source>will not fit: worst tile %1, estimated</source>
        <translation>wird nicht passen: vollstes Tile %1, geschätzt</translation>
    </message>
    <message numerus="yes">
        <source>%n stage(s)</source>
        <translation>
            <numerusform>%n Stufe</numerusform>
            <numerusform>%n Stufen</numerusform>
        </translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>shape not known</source>
        <translation>Form nicht bekannt</translation>
    </message>
    <message>
        <source>Group %1: %2. Double-click unfolds it.</source>
        <translation>Gruppe %1: %2. Ein Doppelklick klappt sie auf.</translation>
    </message>
    <message>
        <source>New name of %1</source>
        <translation>Neuer Name von %1</translation>
    </message>
    <message>
        <source>Families</source>
        <translation>Familien</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Bytes (estimated)</source>
        <translation>Bytes (geschätzt)</translation>
    </message>
    <message>
        <source>Pipeline stages</source>
        <translation>Pipeline-Stufen</translation>
    </message>
    <message>
        <source>Cycles (report)</source>
        <translation>Takte (Bericht)</translation>
    </message>
    <message>
        <source>Bytes (report)</source>
        <translation>Bytes (Bericht)</translation>
    </message>
    <message>
        <source>cycles per step, modelled</source>
        <translation>Takte je Schritt, modelliert</translation>
    </message>
    <message>
        <source>variables, code and state, modelled</source>
        <translation>Variablen, Code und Zustand, modelliert</translation>
    </message>
    <message>
        <source>No report is open: compile first.</source>
        <translation>Kein Bericht ist offen: Kompilieren Sie zuerst.</translation>
    </message>
    <message>
        <source>The report on show has no layer of this model.</source>
        <translation>Der gezeigte Bericht hat keine Schicht dieses Modells.</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>weights, optimizer, activations of a micro-batch, estimated</source>
        <translation>Gewichte, Optimierer, Aktivierungen eines Micro-Batches, geschätzt</translation>
    </message>
    <message>
        <source>pipeline stages</source>
        <translation>Pipeline-Stufen</translation>
    </message>
    <message>
        <source>The model has no pipeline stages.</source>
        <translation>Das Modell hat keine Pipeline-Stufen.</translation>
    </message>
    <message>
        <source>Tile %1 needs %2; it has %3.</source>
        <translation>Tile %1 braucht %2; es hat %3.</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>passt nicht</translation>
    </message>
    <message>
        <source>loaded from the cache in %1 here</source>
        <translation>in %1 aus dem Cache geladen, hier</translation>
    </message>
    <message>
        <source>compiled in %1 here</source>
        <translation>in %1 kompiliert, hier</translation>
    </message>
    <message>
        <source>for the host, no tiles</source>
        <translation>für den Host, keine Tiles</translation>
    </message>
    <message>
        <source>fits: worst tile %1</source>
        <translation>passt: vollstes Tile %1</translation>
    </message>
    <message>
        <source>Cache: hit, nothing had to be compiled.</source>
        <translation>Cache: Treffer, nichts war zu kompilieren.</translation>
    </message>
    <message>
        <source>Cache: miss, compiled again.</source>
        <translation>Cache: kein Treffer, neu kompiliert.</translation>
    </message>
    <message>
        <source>Cache: miss, compiled again: %1.</source>
        <translation>Cache: kein Treffer, neu kompiliert: %1.</translation>
    </message>
    <message>
        <source>Cache: off.</source>
        <translation>Cache: aus.</translation>
    </message>
    <message>
        <source>%1 per step, modelled</source>
        <translation>%1 je Schritt, modelliert</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Trainieren</translation>
    </message>
    <message>
        <source>Replication</source>
        <translation>Replikation</translation>
    </message>
    <message>
        <source>Accumulation</source>
        <translation>Akkumulation</translation>
    </message>
    <message>
        <source>Pipelining</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>Feeds</source>
        <translation>Feeds</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>%1 — %2</source>
        <translation>%1 — %2</translation>
    </message>
    <message>
        <source>The emulated system on which the model runs.</source>
        <translation>Das emulierte System, auf dem das Modell läuft.</translation>
    </message>
    <message>
        <source>How many IPUs the system has.</source>
        <translation>Wie viele IPUs das System hat.</translation>
    </message>
    <message>
        <source>Tiles per IPU</source>
        <translation>Tiles je IPU</translation>
    </message>
    <message>
        <source>tiles</source>
        <translation>Tiles</translation>
    </message>
    <message>
        <source>A smaller chip for quick experiments; all else stays as on the real one.</source>
        <translation>Ein kleinerer Chip für schnelle Versuche; alles andere bleibt wie beim echten.</translation>
    </message>
    <message>
        <source>Software model</source>
        <translation>Softwaremodell</translation>
    </message>
    <message>
        <source>The rules of the vendor&apos;s software model instead of those of a device.</source>
        <translation>Die Regeln des Softwaremodells des Herstellers statt denen eines Geräts.</translation>
    </message>
    <message>
        <source>plain Keras on the host</source>
        <translation>einfaches Keras auf dem Host</translation>
    </message>
    <message>
        <source>all options at their defaults</source>
        <translation>alle Optionen auf ihren Vorgaben</translation>
    </message>
    <message numerus="yes">
        <source>%n option(s) changed</source>
        <translation>
            <numerusform>%n Option geändert</numerusform>
            <numerusform>%n Optionen geändert</numerusform>
        </translation>
    </message>
    <message>
        <source>Debug</source>
        <translation>Debug</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>Info</translation>
    </message>
    <message>
        <source>+%1 s</source>
        <translation>+%1 s</translation>
    </message>
    <message>
        <source>No messages</source>
        <translation>Keine Meldungen</translation>
    </message>
    <message>
        <source>No errors</source>
        <translation>Keine Fehler</translation>
    </message>
    <message>
        <source>one number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>balanced</source>
        <translation>ausgewogen</translation>
    </message>
    <message>
        <source>%1 training</source>
        <translation>%1 im Training</translation>
    </message>
    <message>
        <source>%1 validation</source>
        <translation>%1 in der Validierung</translation>
    </message>
    <message>
        <source>%1 test</source>
        <translation>%1 im Test</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>%1 samples of %2</source>
        <translation>%1 Beispiele von %2</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>Beispiel</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 each</source>
        <translation>je %1</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>%1 to %2, mean %3</source>
        <translation>%1 bis %2, Mittel %3</translation>
    </message>
    <message>
        <source>as stored; %1 to %2 in the model</source>
        <translation>wie gespeichert; %1 bis %2 im Modell</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Names in it</source>
        <translation>Namen darin</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwendung</translation>
    </message>
    <message>
        <source>File or folder</source>
        <translation>Datei oder Ordner</translation>
    </message>
    <message>
        <source>IDX files, .npz, .npy or .csv; relative names start at the project&apos;s folder. Empty: embedded digits.</source>
        <translation>IDX-Dateien, .npz, .npy oder .csv; relative Namen beginnen im Ordner des Projekts. Leer: eingebaute Ziffern.</translation>
    </message>
    <message>
        <source>embedded digits</source>
        <translation>eingebaute Ziffern</translation>
    </message>
    <message>
        <source>embedded sequences</source>
        <translation>eingebaute Folgen</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>The format of the file; auto derives it from the name.</source>
        <translation>Die Art der Datei; auto erkennt sie am Namen.</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>usual names</source>
        <translation>übliche Namen</translation>
    </message>
    <message>
        <source>Training samples</source>
        <translation>Trainingsbeispiele</translation>
    </message>
    <message>
        <source>File or array of the training samples.</source>
        <translation>Datei oder Feld der Trainingsbeispiele.</translation>
    </message>
    <message>
        <source>Training labels</source>
        <translation>Labels des Trainings</translation>
    </message>
    <message>
        <source>File or array of the training labels.</source>
        <translation>Datei oder Feld der Labels des Trainings.</translation>
    </message>
    <message>
        <source>Test samples</source>
        <translation>Testbeispiele</translation>
    </message>
    <message>
        <source>File or array of the test samples.</source>
        <translation>Datei oder Feld der Testbeispiele.</translation>
    </message>
    <message>
        <source>Test labels</source>
        <translation>Labels des Tests</translation>
    </message>
    <message>
        <source>File or array of the test labels.</source>
        <translation>Datei oder Feld der Labels des Tests.</translation>
    </message>
    <message>
        <source>Further inputs</source>
        <translation>Weitere Eingänge</translation>
    </message>
    <message>
        <source>Of a model with several inputs: the name of each further one with the file or array that feeds it.</source>
        <translation>Bei einem Modell mit mehreren Eingängen: der Name jedes weiteren mit der Datei oder dem Array, das ihn speist.</translation>
    </message>
    <message>
        <source>Test of further inputs</source>
        <translation>Weitere Eingänge beim Test</translation>
    </message>
    <message>
        <source>The same for the test samples.</source>
        <translation>Dasselbe für die Testdaten.</translation>
    </message>
    <message>
        <source>Label column</source>
        <translation>Spalte der Labels</translation>
    </message>
    <message>
        <source>Of tables: name, number (-1 is the last) or none; empty guesses.</source>
        <translation>Bei Tabellen: Name, Nummer (-1 ist die letzte) oder none; leer rät.</translation>
    </message>
    <message>
        <source>guessed</source>
        <translation>geraten</translation>
    </message>
    <message>
        <source>Stored numbers times this go into the model. None: 1/255 for bytes, 1 for others.</source>
        <translation>Gespeicherte Zahlen gehen mit diesem Faktor ins Modell. Keiner: 1/255 bei Bytes, sonst 1.</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>Höchstens</translation>
    </message>
    <message>
        <source>At most this many training and this many test samples; 0: all.</source>
        <translation>Höchstens so viele Beispiele zum Training und so viele zum Test; 0: alle.</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Validation split</source>
        <translation>Anteil der Validierung</translation>
    </message>
    <message>
        <source>This share, the last of the training samples, is held out.</source>
        <translation>Dieser Anteil, der letzte der Trainingsbeispiele, wird zurückgehalten.</translation>
    </message>
    <message>
        <source>the plan&apos;s split is used</source>
        <translation>der Anteil des Plans gilt</translation>
    </message>
    <message>
        <source>Shuffle</source>
        <translation>Mischen</translation>
    </message>
    <message>
        <source>Whether the samples are mixed.</source>
        <translation>Ob die Beispiele gemischt werden.</translation>
    </message>
    <message>
        <source>Of the embedded generator: another seed draws other digits.</source>
        <translation>Des eingebauten Generators: Ein anderer Startwert zeichnet andere Ziffern.</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>better</source>
        <translation>besser</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>schlechter</translation>
    </message>
    <message>
        <source>Cycles of a step</source>
        <translation>Takte eines Schritts</translation>
    </message>
    <message>
        <source>Cycles of a step, measured on the tiles</source>
        <translation>Takte eines Schritts, auf den Tiles gemessen</translation>
    </message>
    <message>
        <source>Time of a step</source>
        <translation>Zeit eines Schritts</translation>
    </message>
    <message>
        <source>FLOPs of a step</source>
        <translation>FLOPs eines Schritts</translation>
    </message>
    <message>
        <source>Worst tile, with gaps</source>
        <translation>Vollstes Tile, mit Lücken</translation>
    </message>
    <message>
        <source>Worst tile, without gaps</source>
        <translation>Vollstes Tile, ohne Lücken</translation>
    </message>
    <message>
        <source>All tiles, without gaps</source>
        <translation>Alle Tiles, ohne Lücken</translation>
    </message>
    <message>
        <source>All tiles, with gaps</source>
        <translation>Alle Tiles, mit Lücken</translation>
    </message>
    <message>
        <source>Samples of a step</source>
        <translation>Beispiele eines Schritts</translation>
    </message>
    <message>
        <source>Value (%1)</source>
        <translation>Wert (%1)</translation>
    </message>
    <message>
        <source>Memory of IPU %1</source>
        <translation>Speicher von IPU %1</translation>
    </message>
    <message>
        <source>Worst tile (modelled)</source>
        <translation>Vollstes Tile (modelliert)</translation>
    </message>
    <message>
        <source>, overlapped</source>
        <translation>, überlagert</translation>
    </message>
    <message>
        <source>All tiles (modelled)</source>
        <translation>Alle Tiles (modelliert)</translation>
    </message>
    <message>
        <source>Cycles of a step (modelled)</source>
        <translation>Takte eines Schritts (modelliert)</translation>
    </message>
    <message>
        <source>Code (modelled)</source>
        <translation>Code (modelliert)</translation>
    </message>
    <message>
        <source>Variables (modelled)</source>
        <translation>Variablen (modelliert)</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>FLOPs</translation>
    </message>
    <message>
        <source>Bytes (modelled)</source>
        <translation>Bytes (modelliert)</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Always live</source>
        <translation>Immer live</translation>
    </message>
    <message>
        <source>Rank %1 by size</source>
        <translation>Rang %1 nach Größe</translation>
    </message>
    <message>
        <source>With gaps (modelled)</source>
        <translation>Mit Lücken (modelliert)</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>Optionen</translation>
    </message>
    <message>
        <source>Memory by use</source>
        <translation>Speicher nach Verwendung</translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation>Tiles</translation>
    </message>
    <message>
        <source>no differences</source>
        <translation>keine Unterschiede</translation>
    </message>
    <message>
        <source>%1 fewer cycles (modelled)</source>
        <translation>%1 Takte weniger (modelliert)</translation>
    </message>
    <message>
        <source>%1 more cycles (modelled)</source>
        <translation>%1 Takte mehr (modelliert)</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>nicht da</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>added</source>
        <translation>hinzugekommen</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>on show</source>
        <translation>gezeigt</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Vergleichsbasis</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
    <message>
        <source>Samples/s (modelled)</source>
        <translation>Beispiele/s (modelliert)</translation>
    </message>
    <message>
        <source>Host time (here)</source>
        <translation>Zeit des Hosts (hier)</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>nicht mehr da</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>new</source>
        <translation>neu</translation>
    </message>
    <message>
        <source>improved</source>
        <translation>verbessert</translation>
    </message>
    <message>
        <source>No open findings</source>
        <translation>Keine offenen Hinweise</translation>
    </message>
    <message>
        <source>No findings: nothing here would be worth changing</source>
        <translation>Keine Hinweise: Hier lohnte sich keine Änderung</translation>
    </message>
    <message>
        <source>first: %1</source>
        <translation>zuerst: %1</translation>
    </message>
    <message>
        <source>best: %1</source>
        <translation>am besten: %1</translation>
    </message>
    <message>
        <source>%1 suppressed</source>
        <translation>%1 unterdrückt</translation>
    </message>
    <message>
        <source>since the baseline: %1 new, %2 worse, %3 cured</source>
        <translation>seit der Vergleichsbasis: %1 neu, %2 schlechter, %3 behoben</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>dasselbe</translation>
    </message>
    <message>
        <source>%1 less</source>
        <translation>%1 weniger</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 mehr</translation>
    </message>
    <message>
        <source>achieved: %1 cycles a step, %2 (modelled)</source>
        <translation>erreicht: %1 Takte je Schritt, %2 (modelliert)</translation>
    </message>
    <message>
        <source>per sample: %1</source>
        <translation>je Beispiel: %1</translation>
    </message>
    <message>
        <source>worst tile %1, before %2 (modelled)</source>
        <translation>vollstes Tile %1, vorher %2 (modelliert)</translation>
    </message>
    <message>
        <source>it does not fit now</source>
        <translation>es passt jetzt nicht</translation>
    </message>
    <message>
        <source>Applied %1 — %2.</source>
        <translation>%1 angewendet — %2.</translation>
    </message>
    <message>
        <source>the report has no figures to compare</source>
        <translation>der Bericht hat keine Zahlen zum Vergleichen</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weiteres</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>Zusammen</translation>
    </message>
    <message>
        <source>Fullest</source>
        <translation>Am vollsten</translation>
    </message>
    <message>
        <source>Emptiest</source>
        <translation>Am leersten</translation>
    </message>
    <message>
        <source>Micro-batch %1</source>
        <translation>Micro-Batch %1</translation>
    </message>
    <message>
        <source>Stage tasks</source>
        <translation>Stufenaufgaben</translation>
    </message>
    <message>
        <source>The report shown does not contain the selected item.</source>
        <translation>Der gezeigte Bericht enthält nicht, was ausgewählt ist.</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>Operation</translation>
    </message>
    <message>
        <source>Most on</source>
        <translation>Am meisten auf</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Lives</source>
        <translation>Lebt</translation>
    </message>
    <message>
        <source>always</source>
        <translation>immer</translation>
    </message>
    <message>
        <source>Born</source>
        <translation>Entsteht</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Last use</source>
        <translation>Letzter Gebrauch</translation>
    </message>
    <message>
        <source>Lives until</source>
        <translation>Lebt bis</translation>
    </message>
    <message>
        <source>IPU of the replica</source>
        <translation>IPU der Replika</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>column %1, row %2</source>
        <translation>Spalte %1, Zeile %2</translation>
    </message>
    <message>
        <source>Serves</source>
        <translation>Dient</translation>
    </message>
    <message>
        <source>transfers only (IO tile)</source>
        <translation>nur Übertragungen (I/O-Tile)</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Peak of the rest</source>
        <translation>Spitze des Übrigen</translation>
    </message>
    <message>
        <source>Computes</source>
        <translation>Rechnet</translation>
    </message>
    <message>
        <source>%1 in the run, modelled</source>
        <translation>%1 im Lauf, modelliert</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>%1, modelled</source>
        <translation>%1, modelliert</translation>
    </message>
    <message>
        <source>Others wait for it</source>
        <translation>Andere warten darauf</translation>
    </message>
    <message>
        <source>Largest contents</source>
        <translation>Größter Inhalt</translation>
    </message>
    <message>
        <source>IPU %1 · replica %2</source>
        <translation>IPU %1 · Replika %2</translation>
    </message>
    <message>
        <source>Board</source>
        <translation>Platine</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Cycles of the run, modelled</source>
        <translation>Takte des Laufs, modelliert</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Durchgang</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Largest live</source>
        <translation>Am größten live</translation>
    </message>
    <message>
        <source>Cycles</source>
        <translation>Takte</translation>
    </message>
    <message>
        <source>Executions</source>
        <translation>Ausführungen</translation>
    </message>
    <message>
        <source>Part of</source>
        <translation>Teil von</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Planned</source>
        <translation>Geplant</translation>
    </message>
    <message>
        <source>%1, estimated</source>
        <translation>%1, geschätzt</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>%1; shared code by the share of its users</source>
        <translation>%1; gemeinsamer Code nach dem Anteil seiner Benutzer</translation>
    </message>
    <message>
        <source>Compute set %1</source>
        <translation>Compute-Set %1</translation>
    </message>
    <message>
        <source>Slowest tile</source>
        <translation>Langsamstes Tile</translation>
    </message>
    <message>
        <source>Active tiles</source>
        <translation>Aktive Tiles</translation>
    </message>
    <message>
        <source>Kinds of vertices</source>
        <translation>Arten von Vertices</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>state %1</source>
        <translation>Zustand %1</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Repeats at most</source>
        <translation>Wiederholungen höchstens</translation>
    </message>
    <message>
        <source>depends on data</source>
        <translation>hängt von den Daten ab</translation>
    </message>
    <message>
        <source>Sends</source>
        <translation>Sendet</translation>
    </message>
    <message>
        <source>%1 each time</source>
        <translation>jedes Mal %1</translation>
    </message>
    <message>
        <source>Receives</source>
        <translation>Empfängt</translation>
    </message>
    <message>
        <source>Liveness steps</source>
        <translation>Liveness-Schritte</translation>
    </message>
    <message>
        <source>Vertex %1</source>
        <translation>Vertex %1</translation>
    </message>
    <message>
        <source>%1 where it is present</source>
        <translation>%1, wo er vorkommt</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>%1 taking %2, modelled</source>
        <translation>%1 mit %2, modelliert</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Host time</source>
        <translation>Zeit des Hosts</translation>
    </message>
    <message>
        <source>%1 here</source>
        <translation>%1 hier</translation>
    </message>
    <message>
        <source>%1 selected</source>
        <translation>%1 ausgewählt</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>%1 · %2 · %3</source>
        <translation>%1 · %2 · %3</translation>
    </message>
    <message>
        <source>frozen</source>
        <translation>eingefroren</translation>
    </message>
    <message>
        <source>%1, first values: %2</source>
        <translation>%1, erste Werte: %2</translation>
    </message>
    <message>
        <source>Derived</source>
        <translation>Abgeleitet</translation>
    </message>
    <message>
        <source>Output of call %1</source>
        <translation>Ausgang von Aufruf %1</translation>
    </message>
    <message>
        <source>%1 of them trainable</source>
        <translation>davon %1 trainierbar</translation>
    </message>
    <message>
        <source>Multiply-adds</source>
        <translation>Multiplikationen mit Addition</translation>
    </message>
    <message>
        <source>%1 a sample, forward</source>
        <translation>%1 je Beispiel, vorwärts</translation>
    </message>
    <message>
        <source>%1 is not in the model any more</source>
        <translation>%1 ist nicht mehr im Modell</translation>
    </message>
    <message>
        <source>Selected layers</source>
        <translation>Gewählte Schichten</translation>
    </message>
    <message>
        <source>not resolved</source>
        <translation>nicht aufgelöst</translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation>Nichts ausgewählt</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>Batch-Größe</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>the model would not fit together</source>
        <translation>das Modell passte dann nicht zusammen</translation>
    </message>
    <message>
        <source>worst tile %1, estimated</source>
        <translation>vollstes Tile %1, geschätzt</translation>
    </message>
    <message>
        <source>worst tile %1 → %2, estimated</source>
        <translation>vollstes Tile %1 → %2, geschätzt</translation>
    </message>
    <message>
        <source>would not fit</source>
        <translation>würde nicht passen</translation>
    </message>
    <message>
        <source>The region that may hold code is full, though the tile has room elsewhere.</source>
        <translation>Der Bereich, der Code enthalten darf, ist voll, obwohl das Tile anderswo Platz hat.</translation>
    </message>
    <message>
        <source>The interleaved region is full, though the tile has room elsewhere.</source>
        <translation>Der verschränkte Bereich ist voll, obwohl das Tile anderswo Platz hat.</translation>
    </message>
    <message>
        <source>The bytes needed at the same time are more than the tile has.</source>
        <translation>Die Bytes, die zugleich gebraucht werden, sind mehr, als das Tile hat.</translation>
    </message>
    <message>
        <source>gaps</source>
        <translation>Lücken</translation>
    </message>
    <message>
        <source>this report has no figures of memory</source>
        <translation>dieser Bericht hat keine Zahlen zum Speicher</translation>
    </message>
    <message>
        <source>code %1</source>
        <translation>Code %1</translation>
    </message>
    <message>
        <source>tiles evenly filled</source>
        <translation>Tiles gleichmäßig gefüllt</translation>
    </message>
    <message>
        <source>%1 needs %2 more than its %3. %4</source>
        <translation>%1 braucht %2 mehr als seine %3. %4</translation>
    </message>
    <message>
        <source>Largest on that tile: %1.</source>
        <translation>Am größten auf diesem Tile: %1.</translation>
    </message>
    <message>
        <source>Not compared by tile: %1 has %2 tiles on %3 IPUs, %4 has %5 on %6. See their summaries side by side.</source>
        <translation>Nicht Tile für Tile verglichen: %1 hat %2 Tiles auf %3 IPUs, %4 hat %5 auf %6. Sehen Sie ihre Übersichten nebeneinander an.</translation>
    </message>
    <message>
        <source>Every tile holds as many bytes as in %1.</source>
        <translation>Jedes Tile enthält so viele Bytes wie in %1.</translation>
    </message>
    <message>
        <source>Compared with %1, tile by tile: %2 of %3 tiles differ, %4%5 in all.</source>
        <translation>Verglichen mit %1, Tile für Tile: %2 von %3 Tiles unterscheiden sich, %4%5 insgesamt.</translation>
    </message>
    <message>
        <source>, column %1, row %2%3</source>
        <translation>, Spalte %1, Zeile %2%3</translation>
    </message>
    <message>
        <source>, IO</source>
        <translation>, I/O</translation>
    </message>
    <message>
        <source>%1 up to the highest address</source>
        <translation>%1 bis zur höchsten Adresse</translation>
    </message>
    <message>
        <source>%1 used</source>
        <translation>%1 benutzt</translation>
    </message>
    <message>
        <source>%1 always live</source>
        <translation>%1 immer live</translation>
    </message>
    <message>
        <source>%1 more at its peak</source>
        <translation>%1 mehr an der Spitze</translation>
    </message>
    <message>
        <source>%1 headroom</source>
        <translation>%1 Reserve</translation>
    </message>
    <message>
        <source>The first %1 of %2 variables are shown.</source>
        <translation>Die ersten %1 von %2 Variablen werden gezeigt.</translation>
    </message>
    <message>
        <source>No variable is chosen. Choose some in the table of variables or in another view.</source>
        <translation>Keine Variable ist gewählt. Wählen Sie welche in der Tabelle der Variablen oder in einer anderen Ansicht.</translation>
    </message>
    <message>
        <source>This report holds no run, so there is no traffic to show.</source>
        <translation>Dieser Bericht enthält keinen Lauf, also ist kein Verkehr zu zeigen.</translation>
    </message>
    <message>
        <source>sent</source>
        <translation>gesendet</translation>
    </message>
    <message>
        <source>received</source>
        <translation>empfangen</translation>
    </message>
    <message>
        <source>bytes of each tile up to its highest address (modelled)</source>
        <translation>Bytes jedes Tiles bis zu seiner höchsten Adresse (modelliert)</translation>
    </message>
    <message>
        <source>bytes of each tile without gaps (modelled)</source>
        <translation>Bytes jedes Tiles ohne Lücken (modelliert)</translation>
    </message>
    <message>
        <source>bytes of the chosen variables on each tile (modelled)</source>
        <translation>Bytes der gewählten Variablen auf jedem Tile (modelliert)</translation>
    </message>
    <message>
        <source>bytes each tile received in the run (modelled)</source>
        <translation>Bytes, die jedes Tile im Lauf empfing (modelliert)</translation>
    </message>
    <message>
        <source>bytes each tile sent in the run (modelled)</source>
        <translation>Bytes, die jedes Tile im Lauf sendete (modelliert)</translation>
    </message>
    <message>
        <source>bytes of each tile, now minus before (modelled)</source>
        <translation>Bytes jedes Tiles, jetzt minus vorher (modelliert)</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>With gaps</source>
        <translation>Mit Lücken</translation>
    </message>
    <message>
        <source>Up to the highest used address: decides whether it fits.</source>
        <translation>Bis zur höchsten benutzten Adresse: entscheidet, ob es passt.</translation>
    </message>
    <message>
        <source>Gaps</source>
        <translation>Lücken</translation>
    </message>
    <message>
        <source>Unused bytes between used ones; the address map gives the reason.</source>
        <translation>Unbenutzte Bytes zwischen benutzten; die Adresskarte sagt, warum.</translation>
    </message>
    <message>
        <source>Without gaps</source>
        <translation>Ohne Lücken</translation>
    </message>
    <message>
        <source>Distinct used addresses.</source>
        <translation>Verschiedene benutzte Adressen.</translation>
    </message>
    <message>
        <source>Overlapped: addresses used several times</source>
        <translation>Überlagert: mehrfach benutzte Adressen</translation>
    </message>
    <message>
        <source>Each address counted once; the categories below share addresses, so they add up to more.</source>
        <translation>Jede Adresse einmal gezählt; die Kategorien darunter teilen sich Adressen und ergeben daher zusammen mehr.</translation>
    </message>
    <message>
        <source>Not overlapped: addresses used once</source>
        <translation>Nicht überlagert: einmal benutzte Adressen</translation>
    </message>
    <message>
        <source>Need</source>
        <translation>Bedarf</translation>
    </message>
    <message>
        <source>Always live plus the most that is live besides: no placement needs less.</source>
        <translation>Immer live und dazu das meiste, was außerdem live ist: Weniger braucht keine Anordnung.</translation>
    </message>
    <message>
        <source>Not always live, at its peak</source>
        <translation>Nicht immer live, an der Spitze</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>Reserve</translation>
    </message>
    <message>
        <source>Bytes of a tile minus bytes with gaps; negative: does not fit.</source>
        <translation>Bytes eines Tiles minus Bytes mit Lücken; negativ: passt nicht.</translation>
    </message>
    <message>
        <source>Room for code</source>
        <translation>Platz für Code</translation>
    </message>
    <message>
        <source>Free bytes in the region that may hold code.</source>
        <translation>Freie Bytes in dem Bereich, der Code enthalten darf.</translation>
    </message>
    <message>
        <source>All tiles</source>
        <translation>Alle Tiles</translation>
    </message>
    <message>
        <source>%1 chosen tiles</source>
        <translation>%1 gewählte Tiles</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Am größten</translation>
    </message>
    <message>
        <source>on tile</source>
        <translation>auf Tile</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>Variable</translation>
    </message>
    <message>
        <source>On all tiles</source>
        <translation>Auf allen Tiles</translation>
    </message>
    <message>
        <source>Live at steps</source>
        <translation>Live in den Schritten</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>Cycles of the slowest (modelled)</source>
        <translation>Takte des langsamsten (modelliert)</translation>
    </message>
    <message>
        <source>Vertex type</source>
        <translation>Vertextyp</translation>
    </message>
    <message>
        <source>Code of one copy</source>
        <translation>Code eines Exemplars</translation>
    </message>
    <message>
        <source>Received</source>
        <translation>Empfangen</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Gesendet</translation>
    </message>
    <message>
        <source>Contribution</source>
        <translation>Beitrag</translation>
    </message>
    <message>
        <source>On this tile</source>
        <translation>Auf diesem Tile</translation>
    </message>
    <message>
        <source>On the median tile</source>
        <translation>Auf dem mittleren Tile</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>live</source>
        <translation>live</translation>
    </message>
    <message>
        <source>not live</source>
        <translation>nicht live</translation>
    </message>
    <message>
        <source>past the image</source>
        <translation>jenseits des Abbilds</translation>
    </message>
    <message>
        <source>Smallest</source>
        <translation>Kleinster</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>Nicht endlich</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>%1 … (%2 values)</source>
        <translation>%1 … (%2 Werte)</translation>
    </message>
    <message>
        <source>%1 × slower than the modelled machine</source>
        <translation>%1-mal langsamer als die modellierte Maschine</translation>
    </message>
    <message>
        <source>%1 × faster than the modelled machine</source>
        <translation>%1-mal schneller als die modellierte Maschine</translation>
    </message>
    <message>
        <source>Threads of this process</source>
        <translation>Threads dieses Prozesses</translation>
    </message>
    <message>
        <source>%1, on %2 cores</source>
        <translation>%1 auf %2 Kernen</translation>
    </message>
    <message>
        <source>Memory of this process here</source>
        <translation>Speicher dieses Prozesses hier</translation>
    </message>
    <message>
        <source>%1, at most %2 so far</source>
        <translation>%1, bisher höchstens %2</translation>
    </message>
    <message>
        <source>Steps per second here</source>
        <translation>Schritte je Sekunde hier</translation>
    </message>
    <message>
        <source>no run goes on</source>
        <translation>kein Lauf ist im Gange</translation>
    </message>
    <message>
        <source>Emulated cycles per second here</source>
        <translation>Emulierte Takte je Sekunde hier</translation>
    </message>
    <message>
        <source>Speed of the emulation</source>
        <translation>Geschwindigkeit der Emulation</translation>
    </message>
    <message>
        <source>%1 MHz</source>
        <translation>%1 MHz</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>Partition</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>Kennung</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>belegt</translation>
    </message>
    <message>
        <source>free</source>
        <translation>frei</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>Prozess</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Nummer</translation>
    </message>
    <message>
        <source>Routing</source>
        <translation>Routing</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>%1 (software model)</source>
        <translation>%1 (Softwaremodell)</translation>
    </message>
    <message>
        <source>Busy now (modelled)</source>
        <translation>Jetzt beschäftigt (modelliert)</translation>
    </message>
    <message>
        <source>Busy in all (modelled)</source>
        <translation>Insgesamt beschäftigt (modelliert)</translation>
    </message>
    <message>
        <source>Cycles (modelled)</source>
        <translation>Takte (modelliert)</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>Seit</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>Clock (modelled)</source>
        <translation>Takt (modelliert)</translation>
    </message>
    <message>
        <source>No IPU in use · %1 emulated systems</source>
        <translation>Keine IPU in Gebrauch · %1 emulierte Systeme</translation>
    </message>
    <message>
        <source>%1 busy (modelled)</source>
        <translation>%1 beschäftigt (modelliert)</translation>
    </message>
    <message>
        <source>Serial number</source>
        <translation>Seriennummer</translation>
    </message>
    <message>
        <source>Number on the machine</source>
        <translation>Nummer in der Maschine</translation>
    </message>
    <message>
        <source>Software version</source>
        <translation>Version der Software</translation>
    </message>
    <message>
        <source>Server version</source>
        <translation>Version des Servers</translation>
    </message>
    <message>
        <source>Firmware version</source>
        <translation>Version der Firmware</translation>
    </message>
    <message>
        <source>Remote buffers</source>
        <translation>Remote-Buffer</translation>
    </message>
    <message>
        <source>%1 per IPU</source>
        <translation>%1 je IPU</translation>
    </message>
    <message>
        <source>not supported</source>
        <translation>nicht unterstützt</translation>
    </message>
    <message>
        <source>attached to process %1</source>
        <translation>belegt von Prozess %1</translation>
    </message>
    <message>
        <source>Attached since</source>
        <translation>Belegt seit</translation>
    </message>
    <message>
        <source>Busy since attached (modelled)</source>
        <translation>Beschäftigt, seit sie belegt ist (modelliert)</translation>
    </message>
    <message>
        <source>Clock under load (modelled)</source>
        <translation>Takt unter Last (modelliert)</translation>
    </message>
    <message>
        <source>Power (modelled)</source>
        <translation>Leistung (modelliert)</translation>
    </message>
    <message>
        <source>%1 W, board %2 W</source>
        <translation>%1 W, Platine %2 W</translation>
    </message>
    <message>
        <source>Temperature (modelled)</source>
        <translation>Temperatur (modelliert)</translation>
    </message>
    <message>
        <source>%1 °C, board %2 °C</source>
        <translation>%1 °C, Platine %2 °C</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>Begrenzt durch</translation>
    </message>
    <message>
        <source>Mean cycles</source>
        <translation>Takte im Mittel</translation>
    </message>
    <message>
        <source>Least cycles</source>
        <translation>Wenigste Takte</translation>
    </message>
    <message>
        <source>Most cycles</source>
        <translation>Meiste Takte</translation>
    </message>
    <message>
        <source>Estimated cycles</source>
        <translation>Geschätzte Takte</translation>
    </message>
    <message>
        <source>Ideal cycles</source>
        <translation>Ideale Takte</translation>
    </message>
    <message>
        <source>FLOPs per cycle</source>
        <translation>FLOPs je Takt</translation>
    </message>
    <message>
        <source>Code, exclusive</source>
        <translation>Code, eigener</translation>
    </message>
    <message>
        <source>Code, shared</source>
        <translation>Code, gemeinsamer</translation>
    </message>
    <message>
        <source>Code, attributed</source>
        <translation>Code, zugerechnet</translation>
    </message>
    <message>
        <source>Balance</source>
        <translation>Ausgewogenheit</translation>
    </message>
    <message>
        <source>%1 × %2 × %3 parts</source>
        <translation>%1 × %2 × %3 Teile</translation>
    </message>
    <message>
        <source>%1 in series</source>
        <translation>%1 nacheinander</translation>
    </message>
    <message>
        <source>%1 temporary</source>
        <translation>%1 vorübergehend</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Product</source>
        <translation>Produkt</translation>
    </message>
    <message>
        <source>%1 × %2 × %3, %4</source>
        <translation>%1 × %2 × %3, %4</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>Gewählt</translation>
    </message>
    <message>
        <source>more than it was allowed</source>
        <translation>mehr, als erlaubt war</translation>
    </message>
    <message>
        <source>Estimated</source>
        <translation>Geschätzt</translation>
    </message>
    <message>
        <source>%1 with all its passes</source>
        <translation>%1 mit allen Durchgängen</translation>
    </message>
    <message>
        <source>Came to</source>
        <translation>Ergab</translation>
    </message>
    <message>
        <source>Alternative %1</source>
        <translation>Alternative %1</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
    <message>
        <source>variables %1, code %2</source>
        <translation>Variablen %1, Code %2</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Made of</source>
        <translation>Besteht aus</translation>
    </message>
    <message>
        <source>and</source>
        <translation>und</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Gezeigt</translation>
    </message>
    <message>
        <source>%1 %2 of %3 operations</source>
        <translation>%1 %2 von %3 Operationen</translation>
    </message>
    <message>
        <source>%1 code</source>
        <translation>%1 Code</translation>
    </message>
    <message>
        <source>No operation</source>
        <translation>Keine Operation</translation>
    </message>
    <message>
        <source>No stage</source>
        <translation>Keine Stufe</translation>
    </message>
    <message>
        <source>No layer</source>
        <translation>Keine Schicht</translation>
    </message>
    <message>
        <source>Program (loops, feeds)</source>
        <translation>Programm (Schleifen, Feeds)</translation>
    </message>
    <message>
        <source>%1, learning rate %2</source>
        <translation>%1, Lernrate %2</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>Batch %1</translation>
    </message>
    <message>
        <source>%1 for validation</source>
        <translation>%1 zur Validierung</translation>
    </message>
    <message>
        <source>in order</source>
        <translation>der Reihe nach</translation>
    </message>
    <message>
        <source>defaults</source>
        <translation>Vorgaben</translation>
    </message>
    <message numerus="yes">
        <source>%n engine option(s)</source>
        <translation>
            <numerusform>%n Engine-Option</numerusform>
            <numerusform>%n Engine-Optionen</numerusform>
        </translation>
    </message>
    <message>
        <source>Use batch size %1</source>
        <translation>Batch-Größe %1 nehmen</translation>
    </message>
    <message>
        <source>Use one replica</source>
        <translation>Eine Replika nehmen</translation>
    </message>
    <message>
        <source>no loss</source>
        <translation>kein Loss</translation>
    </message>
    <message>
        <source>%1 minimises %2</source>
        <translation>%1 minimiert %2</translation>
    </message>
    <message>
        <source>A weight update</source>
        <translation>Eine Gewichtsänderung</translation>
    </message>
    <message>
        <source>batch of %1</source>
        <translation>Batch von %1</translation>
    </message>
    <message>
        <source> × %1 accumulated</source>
        <translation> × %1 akkumuliert</translation>
    </message>
    <message>
        <source> × %1 replicas</source>
        <translation> × %1 Replikas</translation>
    </message>
    <message>
        <source>%1 = %2</source>
        <translation>%1 = %2</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Training loop</source>
        <translation>Trainingsschleife</translation>
    </message>
    <message>
        <source>blocks of your own in place of fit</source>
        <translation>eigene Blöcke statt fit</translation>
    </message>
    <message>
        <source>%1 at the last update</source>
        <translation>%1 bei der letzten Änderung</translation>
    </message>
    <message>
        <source>One start</source>
        <translation>Ein Start</translation>
    </message>
    <message>
        <source>An epoch</source>
        <translation>Eine Epoche</translation>
    </message>
    <message>
        <source>The data are not counted: see the Data view.</source>
        <translation>Die Daten sind nicht gezählt: siehe Ansicht Daten.</translation>
    </message>
    <message>
        <source>Validation samples</source>
        <translation>Validierungsbeispiele</translation>
    </message>
    <message>
        <source>%1 on each replica</source>
        <translation>%1 auf jeder Replika</translation>
    </message>
    <message>
        <source>Weight updates</source>
        <translation>Gewichtsänderungen</translation>
    </message>
    <message>
        <source>Dropped batches</source>
        <translation>Ausgelassene Batches</translation>
    </message>
    <message>
        <source>The whole run</source>
        <translation>Der ganze Lauf</translation>
    </message>
    <message>
        <source>The whole run, at most</source>
        <translation>Der ganze Lauf, höchstens</translation>
    </message>
    <message>
        <source>Samples seen</source>
        <translation>Gesehene Beispiele</translation>
    </message>
    <message>
        <source>Losses</source>
        <translation>Losses</translation>
    </message>
    <message>
        <source>a list with one loss per output</source>
        <translation>eine Liste mit einem Loss je Ausgang</translation>
    </message>
    <message>
        <source>Weights of the losses</source>
        <translation>Gewichte der Losses</translation>
    </message>
    <message>
        <source>Weight of the loss</source>
        <translation>Gewicht des Loss</translation>
    </message>
    <message>
        <source>Batches and updates</source>
        <translation>Batches und Änderungen</translation>
    </message>
    <message>
        <source>Order of the data</source>
        <translation>Reihenfolge der Daten</translation>
    </message>
    <message>
        <source>Steps per execution</source>
        <translation>Schritte je Ausführung</translation>
    </message>
    <message>
        <source>Accumulation steps</source>
        <translation>Schritte der Akkumulation</translation>
    </message>
    <message>
        <source>Accumulate by</source>
        <translation>Akkumulieren durch</translation>
    </message>
    <message>
        <source>Pipeline schedule</source>
        <translation>Ablauf der Pipeline</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>Keine Probleme</translation>
    </message>
    <message>
        <source>Set the loss to mean_squared_error</source>
        <translation>Den Loss auf mean_squared_error setzen</translation>
    </message>
    <message>
        <source>Use %1 for all outputs</source>
        <translation>%1 für alle Ausgänge nehmen</translation>
    </message>
    <message>
        <source>Set the loss to binary_crossentropy</source>
        <translation>Den Loss auf binary_crossentropy setzen</translation>
    </message>
    <message>
        <source>Set the optimizer to sgd</source>
        <translation>Den Optimierer auf sgd setzen</translation>
    </message>
    <message>
        <source>Make all layers trainable</source>
        <translation>Alle Schichten trainierbar machen</translation>
    </message>
    <message>
        <source>Give each layer a unique name</source>
        <translation>Jeder Schicht einen eigenen Namen geben</translation>
    </message>
    <message>
        <source>Mark %1 as output</source>
        <translation>%1 als Ausgang kennzeichnen</translation>
    </message>
    <message>
        <source>Reset %1 of %2 to its default</source>
        <translation>%1 von %2 auf die Vorgabe zurücksetzen</translation>
    </message>
    <message>
        <source>Insert Flatten before %1</source>
        <translation>Flatten vor %1 einfügen</translation>
    </message>
    <message>
        <source>Set %1 to %2</source>
        <translation>%1 auf %2 setzen</translation>
    </message>
    <message>
        <source>no run in this report</source>
        <translation>kein Lauf in diesem Bericht</translation>
    </message>
    <message>
        <source>%1 × in one pass</source>
        <translation>%1 × in einem Durchgang</translation>
    </message>
    <message>
        <source>Own cycles</source>
        <translation>Eigene Takte</translation>
    </message>
    <message>
        <source>One execution</source>
        <translation>Eine Ausführung</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Hidden behind other work</source>
        <translation>Hinter anderer Arbeit verborgen</translation>
    </message>
    <message>
        <source>Live at this step</source>
        <translation>In diesem Schritt live</translation>
    </message>
    <message>
        <source>%1: active tiles against the slowest</source>
        <translation>%1: aktive Tiles gegen das langsamste</translation>
    </message>
    <message>
        <source>Packet headers</source>
        <translation>Paketköpfe</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>Other pairs</source>
        <translation>Andere Paare</translation>
    </message>
    <message>
        <source>Comes from</source>
        <translation>Kommt von</translation>
    </message>
    <message>
        <source>Reads and writes</source>
        <translation>Liest und schreibt</translation>
    </message>
    <message>
        <source>reads</source>
        <translation>liest</translation>
    </message>
    <message>
        <source>writes</source>
        <translation>schreibt</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>ändert</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>Stream</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>Richtung</translation>
    </message>
    <message>
        <source>to the device</source>
        <translation>zum Gerät</translation>
    </message>
    <message>
        <source>from the device</source>
        <translation>vom Gerät</translation>
    </message>
    <message>
        <source>One transfer</source>
        <translation>Eine Übertragung</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>evaluation step</source>
        <translation>Auswertungsschritt</translation>
    </message>
    <message>
        <source>prediction step</source>
        <translation>Vorhersageschritt</translation>
    </message>
    <message>
        <source>training step</source>
        <translation>Trainingsschritt</translation>
    </message>
    <message>
        <source>%1 ×</source>
        <translation>%1 ×</translation>
    </message>
    <message>
        <source>Use %1 accumulation steps</source>
        <translation>%1 Schritte der Akkumulation nehmen</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 nehmen</translation>
    </message>
    <message>
        <source>Weigh all outputs alike</source>
        <translation>Alle Ausgänge gleich gewichten</translation>
    </message>
    <message>
        <source>Let the system choose the IPUs</source>
        <translation>Das System die IPUs wählen lassen</translation>
    </message>
    <message>
        <source>Compile for %1</source>
        <translation>Für %1 kompilieren</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>%1 zurücksetzen</translation>
    </message>
    <message>
        <source>No training is running.</source>
        <translation>Es läuft kein Training.</translation>
    </message>
    <message>
        <source>Save the project as a .tilewright file first: the run continues from its checkpoint there.</source>
        <translation>Speichern Sie das Projekt zuerst als .tilewright-Datei: Der Lauf geht von seinem Checkpoint dort weiter.</translation>
    </message>
    <message>
        <source>The run continues in a separate process and writes its report to %1.</source>
        <translation>Der Lauf geht in einem eigenen Prozess weiter; sein Bericht wächst in %1.</translation>
    </message>
    <message>
        <source>Predict</source>
        <translation>Vorhersagen</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Compiling</source>
        <translation>Kompiliert</translation>
    </message>
    <message>
        <source>Stopping after this step</source>
        <translation>Stoppt nach diesem Schritt</translation>
    </message>
    <message>
        <source>The autosave cannot be written: %1</source>
        <translation>Die Sicherungskopie lässt sich nicht schreiben: %1</translation>
    </message>
    <message>
        <source>Open report</source>
        <translation>Bericht öffnen</translation>
    </message>
    <message>
        <source>Open report to compare</source>
        <translation>Bericht zum Vergleichen öffnen</translation>
    </message>
    <message>
        <source>was %1: %2</source>
        <translation>war %1: %2</translation>
    </message>
    <message>
        <source>This report</source>
        <translation>Dieser Bericht</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>optimizer state</source>
        <translation>Zustand des Optimierers</translation>
    </message>
    <message>
        <source>constants</source>
        <translation>Konstanten</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>inputs</source>
        <translation>Eingänge</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>Ausgänge</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>accumulators</source>
        <translation>Akkumulatoren</translation>
    </message>
    <message>
        <source>partial results</source>
        <translation>Teilergebnisse</translation>
    </message>
    <message>
        <source>temporaries</source>
        <translation>Zwischenwerte</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>other variables</source>
        <translation>andere Variablen</translation>
    </message>
    <message>
        <source>variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>vertex code</source>
        <translation>Vertexcode</translation>
    </message>
    <message>
        <source>vertex state</source>
        <translation>Vertexzustand</translation>
    </message>
    <message>
        <source>vertex fields</source>
        <translation>Vertexfelder</translation>
    </message>
    <message>
        <source>global packet headers</source>
        <translation>globale Paketköpfe</translation>
    </message>
    <message>
        <source>host packet headers</source>
        <translation>Paketköpfe des Hosts</translation>
    </message>
    <message>
        <source>exchange buffers</source>
        <translation>Austauschpuffer</translation>
    </message>
    <message>
        <source>rearrangement</source>
        <translation>Umordnung</translation>
    </message>
    <message>
        <source>control code</source>
        <translation>Steuercode</translation>
    </message>
    <message>
        <source>control tables</source>
        <translation>Steuertabellen</translation>
    </message>
    <message>
        <source>control ids</source>
        <translation>Steuerkennungen</translation>
    </message>
    <message>
        <source>copy descriptors</source>
        <translation>Kopierbeschreibungen</translation>
    </message>
    <message>
        <source>vector list descriptors</source>
        <translation>Beschreibungen von Vektorlisten</translation>
    </message>
    <message>
        <source>stacks</source>
        <translation>Stacks</translation>
    </message>
    <message>
        <source>instrumentation</source>
        <translation>Instrumentierung</translation>
    </message>
    <message>
        <source>shared code</source>
        <translation>gemeinsamer Code</translation>
    </message>
    <message>
        <source>code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>exchange code</source>
        <translation>Austauschcode</translation>
    </message>
    <message>
        <source>control</source>
        <translation>Steuerung</translation>
    </message>
    <message>
        <source>buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>other layers</source>
        <translation>andere Schichten</translation>
    </message>
    <message>
        <source>of no layer</source>
        <translation>keiner Schicht</translation>
    </message>
    <message>
        <source>code, control and stacks</source>
        <translation>Code, Steuerung und Stacks</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>region</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>category</source>
        <translation>Kategorie</translation>
    </message>
    <message>
        <source>liveness</source>
        <translation>Liveness</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>used</source>
        <translation>benutzt</translation>
    </message>
    <message>
        <source>always live</source>
        <translation>immer live</translation>
    </message>
    <message>
        <source>not always live</source>
        <translation>nicht immer live</translation>
    </message>
    <message>
        <source>several, at different times</source>
        <translation>mehrere, zu verschiedenen Zeiten</translation>
    </message>
    <message>
        <source>non-interleaved</source>
        <translation>nicht verschränkt</translation>
    </message>
    <message>
        <source>overflowed</source>
        <translation>übergelaufen</translation>
    </message>
    <message>
        <source>no gap</source>
        <translation>keine Lücke</translation>
    </message>
    <message>
        <source>alignment of what follows</source>
        <translation>Ausrichtung dessen, was folgt</translation>
    </message>
    <message>
        <source>what follows may not share a memory element</source>
        <translation>was folgt, darf kein Speicherelement teilen</translation>
    </message>
    <message>
        <source>what follows has to lie in the next region</source>
        <translation>was folgt, muss im nächsten Bereich liegen</translation>
    </message>
    <message>
        <source>left over between lifetimes (fragmentation)</source>
        <translation>zwischen Lebensdauern übrig geblieben (Zerstückelung)</translation>
    </message>
    <message>
        <source>learning rate %1</source>
        <translation>Lernrate %1</translation>
    </message>
    <message>
        <source>not a number</source>
        <translation>keine Zahl</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>%1 (stopped)</source>
        <translation>%1 (gestoppt)</translation>
    </message>
    <message>
        <source>%1 by epoch</source>
        <translation>%1 je Epoche</translation>
    </message>
    <message>
        <source>Compiling before the first step</source>
        <translation>Kompilieren vor dem ersten Schritt</translation>
    </message>
    <message>
        <source>epoch %1/%2</source>
        <translation>Epoche %1/%2</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>Epoche %1</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>Loss %1</translation>
    </message>
    <message>
        <source>loss is not a number</source>
        <translation>Loss ist keine Zahl</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1/epoch here</source>
        <translation>%1/Epoche hier</translation>
    </message>
    <message>
        <source>No step done yet</source>
        <translation>Noch kein Schritt getan</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>%1 left here</source>
        <translation>noch %1 hier</translation>
    </message>
    <message>
        <source>tile mode</source>
        <translation>Tile-Modus</translation>
    </message>
    <message>
        <source>%1 param.</source>
        <translation>%1 Param.</translation>
    </message>
    <message>
        <source>%1 cycles</source>
        <translation>%1 Takte</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message numerus="yes">
        <source>%n stages</source>
        <translation>
            <numerusform>%n Stufe</numerusform>
            <numerusform>%n Stufen</numerusform>
        </translation>
    </message>
    <message>
        <source>its other variables</source>
        <translation>ihre anderen Variablen</translation>
    </message>
    <message>
        <source>everything else</source>
        <translation>alles andere</translation>
    </message>
    <message>
        <source>all tiles</source>
        <translation>alle Tiles</translation>
    </message>
    <message>
        <source>variables of stage %1</source>
        <translation>Variablen von Stufe %1</translation>
    </message>
    <message>
        <source>no curve of live bytes for %1</source>
        <translation>keine Kurve live Bytes für %1</translation>
    </message>
    <message>
        <source>%1: </source>
        <translation>%1: </translation>
    </message>
    <message>
        <source>%1peak at liveness step %2: %3 live</source>
        <translation>%1Spitze in Liveness-Schritt %2: %3 live</translation>
    </message>
    <message>
        <source>%1peak at liveness step %2 (%3): %4 live</source>
        <translation>%1Spitze in Liveness-Schritt %2 (%3): %4 live</translation>
    </message>
    <message>
        <source>%1%2 (modelled)</source>
        <translation>%1%2 (modelliert)</translation>
    </message>
    <message>
        <source>exchange on the IPU</source>
        <translation>Austausch auf der IPU</translation>
    </message>
    <message>
        <source>exchange between IPUs</source>
        <translation>Austausch zwischen IPUs</translation>
    </message>
    <message>
        <source>host transfer</source>
        <translation>Übertragung zum oder vom Host</translation>
    </message>
    <message>
        <source>collective</source>
        <translation>kollektive Operation</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>Neuberechnung</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
    <message>
        <source>update</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>%1 (left out)</source>
        <translation>%1 (weggelassen)</translation>
    </message>
    <message>
        <source>for a time</source>
        <translation>zeitweise</translation>
    </message>
    <message>
        <source>made by the compiler</source>
        <translation>vom Compiler gemacht</translation>
    </message>
    <message>
        <source>Born at</source>
        <translation>Entsteht bei</translation>
    </message>
    <message>
        <source>Dies after</source>
        <translation>Endet nach</translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>Zuletzt benutzt</translation>
    </message>
    <message>
        <source>Steps until then</source>
        <translation>Schritte bis dahin</translation>
    </message>
    <message>
        <source>At the first step</source>
        <translation>Im ersten Schritt</translation>
    </message>
    <message>
        <source>At the second step</source>
        <translation>Im zweiten Schritt</translation>
    </message>
    <message>
        <source>Live bytes</source>
        <translation>Live Bytes</translation>
    </message>
    <message>
        <source>What runs</source>
        <translation>Was läuft</translation>
    </message>
    <message>
        <source>does not fit: tile %1 needs %2 of %3</source>
        <translation>passt nicht: Tile %1 braucht %2 von %3</translation>
    </message>
    <message>
        <source>Worst tile %1: %2 of %3</source>
        <translation>Vollstes Tile %1: %2 von %3</translation>
    </message>
    <message>
        <source>up to %1, %2 of a weight update</source>
        <translation>bis zu %1, %2 einer Gewichtsänderung</translation>
    </message>
    <message>
        <source>%1 has no curve of %2 to compare with.</source>
        <translation>%1 hat keine Kurve von %2 zum Vergleichen.</translation>
    </message>
    <message>
        <source>Compared with %1: the same peak, %2 (modelled)</source>
        <translation>Verglichen mit %1: dieselbe Spitze, %2 (modelliert)</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>%1 × weight update of %2 steps</source>
        <translation>%1 × Gewichtsänderung mit %2 Schritten</translation>
    </message>
    <message>
        <source>(Others are not supported yet.)</source>
        <translation>(Andere werden noch nicht unterstützt.)</translation>
    </message>
    <message>
        <source>Take %1 IPUs of the system</source>
        <translation>%1 IPUs des Systems nehmen</translation>
    </message>
    <message>
        <source>%1, if it fitted</source>
        <translation>%1, wenn es passte</translation>
    </message>
    <message>
        <source>largest there: %1, %2 (modelled)</source>
        <translation>am größten dort: %1, %2 (modelliert)</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 Punkte</translation>
    </message>
    <message>
        <source>Used by steps (%1)</source>
        <translation>Von Schritten benutzt (%1)</translation>
    </message>
    <message>
        <source>Parts (%1)</source>
        <translation>Teile (%1)</translation>
    </message>
    <message>
        <source>Steps of the program (%1)</source>
        <translation>Schritte des Programms (%1)</translation>
    </message>
    <message>
        <source>Variables (%1)</source>
        <translation>Variablen (%1)</translation>
    </message>
    <message>
        <source>Steps inside (%1)</source>
        <translation>Schritte darin (%1)</translation>
    </message>
    <message>
        <source>In compute sets (%1)</source>
        <translation>In Compute-Sets (%1)</translation>
    </message>
    <message>
        <source>tiles, the largest first</source>
        <translation>Tiles, die größten zuerst</translation>
    </message>
    <message>
        <source>tiles by their place on the die</source>
        <translation>Tiles nach ihrem Ort auf dem Chip</translation>
    </message>
    <message>
        <source>tile</source>
        <translation>Tile</translation>
    </message>
    <message>
        <source>in</source>
        <translation>ein</translation>
    </message>
    <message>
        <source>out</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>bytes per cycle</source>
        <translation>Bytes je Takt</translation>
    </message>
    <message>
        <source>other</source>
        <translation>anderes</translation>
    </message>
    <message>
        <source>Schedule of one weight update (modelled)</source>
        <translation>Ablauf einer Gewichtsänderung (modelliert)</translation>
    </message>
    <message>
        <source>compute %1</source>
        <translation>Rechnen %1</translation>
    </message>
    <message>
        <source>exchange %1</source>
        <translation>Austausch %1</translation>
    </message>
    <message>
        <source>sync %1</source>
        <translation>Sync %1</translation>
    </message>
    <message>
        <source>stream %1</source>
        <translation>Stream %1</translation>
    </message>
    <message>
        <source>slowest: tile %1</source>
        <translation>am langsamsten: Tile %1</translation>
    </message>
    <message>
        <source>(modelled, with assumed loop counts)</source>
        <translation>(modelliert, mit angenommenen Schleifenzahlen)</translation>
    </message>
    <message>
        <source>Running now: the modelled schedule of a step, unrolled</source>
        <translation>Läuft gerade: der modellierte Ablauf eines Schritts, ausgerollt</translation>
    </message>
    <message>
        <source>Time (here)</source>
        <translation>Zeit (hier)</translation>
    </message>
    <message>
        <source>Steps, samples</source>
        <translation>Schritte, Beispiele</translation>
    </message>
    <message>
        <source>One step</source>
        <translation>Ein Schritt</translation>
    </message>
    <message>
        <source>IPU utilisation</source>
        <translation>Auslastung der IPU</translation>
    </message>
    <message>
        <source>%1 of the cycles compute</source>
        <translation>%1 der Takte rechnen</translation>
    </message>
    <message>
        <source>Tile utilisation</source>
        <translation>Auslastung der Tiles</translation>
    </message>
    <message>
        <source>%1 of all tiles&apos; cycles (parallel efficiency)</source>
        <translation>%1 der Takte aller Tiles (parallele Effizienz)</translation>
    </message>
    <message>
        <source>Tile balance</source>
        <translation>Ausgewogenheit der Tiles</translation>
    </message>
    <message>
        <source>%1 (mean of slowest, weighted by cycles)</source>
        <translation>%1 (Mittel gegen das langsamste, nach Takten gewichtet)</translation>
    </message>
    <message>
        <source>Data balance</source>
        <translation>Ausgewogenheit der Daten</translation>
    </message>
    <message>
        <source>Bytes in, out</source>
        <translation>Bytes hinein, hinaus</translation>
    </message>
    <message>
        <source>%1 in, %2 out</source>
        <translation>%1 hinein, %2 hinaus</translation>
    </message>
    <message>
        <source>Programs executed</source>
        <translation>Ausgeführte Programme</translation>
    </message>
    <message>
        <source>Overlapped with compute</source>
        <translation>Mit Rechnen überlagert</translation>
    </message>
    <message>
        <source>Largest difference from the fused kernels</source>
        <translation>Größter Unterschied zu den Fused-Kernels</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Events that begin here</source>
        <translation>Ereignisse, die hier beginnen</translation>
    </message>
    <message>
        <source>Shortest, mean, longest</source>
        <translation>Kürzestes, mittleres, längstes</translation>
    </message>
    <message>
        <source>%1 · %2 · %3 cycles</source>
        <translation>%1 · %2 · %3 Takte</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Begins</source>
        <translation>Beginnt</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>Spur</translation>
    </message>
    <message>
        <source>Layer, pass</source>
        <translation>Schicht, Durchgang</translation>
    </message>
    <message>
        <source>tile %1 with %2</source>
        <translation>Tile %1 mit %2</translation>
    </message>
    <message>
        <source>%1 over all, %2 over the %3 active of %4</source>
        <translation>%1 über alle, %2 über die %3 aktiven von %4</translation>
    </message>
    <message>
        <source>Executions in the run</source>
        <translation>Ausführungen im Lauf</translation>
    </message>
    <message>
        <source>Bytes each time</source>
        <translation>Bytes jedes Mal</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>tile %1: busy throughout</source>
        <translation>Tile %1: durchgehend beschäftigt</translation>
    </message>
    <message>
        <source>tile %1: busy for %2 of %3, then waits</source>
        <translation>Tile %1: %2 von %3 beschäftigt, wartet dann</translation>
    </message>
    <message>
        <source>Flat</source>
        <translation>Flach</translation>
    </message>
    <message>
        <source>Flame</source>
        <translation>Flamme</translation>
    </message>
    <message>
        <source>BSP</source>
        <translation>BSP</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>One lane per IPU, with its streams and links</source>
        <translation>Eine Spur je IPU, mit ihren Streams und Links</translation>
    </message>
    <message>
        <source>What each tile does in each phase</source>
        <translation>Was jedes Tile in jeder Phase tut</translation>
    </message>
    <message>
        <source>Micro-batches on their way through the stages</source>
        <translation>Micro-Batches auf ihrem Weg durch die Stufen</translation>
    </message>
    <message>
        <source>Bytes per cycle in and out</source>
        <translation>Bytes je Takt hinein und hinaus</translation>
    </message>
    <message>
        <source>What the host&apos;s threads do</source>
        <translation>Was die Threads des Hosts tun</translation>
    </message>
    <message>
        <source>coloured: busy · blank: waiting or idle</source>
        <translation>gefärbt: beschäftigt · leer: wartet oder Leerlauf</translation>
    </message>
    <message>
        <source>This report has no recording of host threads, because it comes from a compile without a run. Train to record the activity of the host here.</source>
        <translation>Dieser Bericht enthält keine Aufzeichnung der Threads des Hosts: Ein Übersetzen allein schreibt keine. Nach einem Training steht hier, was der Host neben dem Gerät tut.</translation>
    </message>
    <message>
        <source>This program has no pipeline stages. Give layers a stage in Plan to see one here.</source>
        <translation>Dieses Programm hat keine Pipeline-Stufen. Geben Sie Schichten im Plan eine Stufe, um hier eine zu sehen.</translation>
    </message>
    <message>
        <source>This report has no events. Compile again to record the schedule of a step.</source>
        <translation>Dieser Bericht enthält keine Ereignisse. Kompilieren Sie noch einmal, um den Ablauf eines Schritts aufzuzeichnen.</translation>
    </message>
    <message>
        <source>ramp</source>
        <translation>Rampe</translation>
    </message>
    <message>
        <source>imbalance</source>
        <translation>Ungleichgewicht</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>ramp up: the first micro-batch has not arrived yet</source>
        <translation>Anlauf: Der erste Micro-Batch ist noch nicht da</translation>
    </message>
    <message>
        <source>ramp down: the last micro-batch has passed</source>
        <translation>Auslauf: Der letzte Micro-Batch ist durch</translation>
    </message>
    <message>
        <source>imbalance: another stage of the slot takes longer</source>
        <translation>Ungleichgewicht: Eine andere Stufe des Zeitfachs braucht länger</translation>
    </message>
    <message>
        <source>transfer between IPUs</source>
        <translation>Übertragung zwischen IPUs</translation>
    </message>
    <message>
        <source>waiting for the host</source>
        <translation>wartet auf den Host</translation>
    </message>
    <message>
        <source>weight update</source>
        <translation>Gewichtsänderung</translation>
    </message>
    <message>
        <source>Micro-batch %1, %2 of stage %3 %4</source>
        <translation>Micro-Batch %1, %2 von Stufe %3 %4</translation>
    </message>
    <message>
        <source>IPU %1, slot %2</source>
        <translation>IPU %1, Zeitfach %2</translation>
    </message>
    <message>
        <source>no slack: it sets the length of its slot</source>
        <translation>kein Spielraum: Sie bestimmt die Länge ihres Zeitfachs</translation>
    </message>
    <message>
        <source>slack %1</source>
        <translation>Spielraum %1</translation>
    </message>
    <message>
        <source>Bubble (%1): %2</source>
        <translation>Blase (%1): %2</translation>
    </message>
    <message>
        <source>waiting for IPU %1</source>
        <translation>wartet auf IPU %1</translation>
    </message>
    <message>
        <source>bubble</source>
        <translation>Blase</translation>
    </message>
    <message>
        <source>on IPU %1</source>
        <translation>auf IPU %1</translation>
    </message>
    <message>
        <source>All IPUs, summed</source>
        <translation>Alle IPUs zusammen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s)</source>
        <translation>
            <numerusform>%Ln Zeile</numerusform>
            <numerusform>%Ln Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln row(s)</source>
        <translation>
            <numerusform>%1 von %Ln Zeile</numerusform>
            <numerusform>%1 von %Ln Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>IPU °C (modelled)</source>
        <translation>IPU °C (modelliert)</translation>
    </message>
    <message>
        <source>Board °C (modelled)</source>
        <translation>Platine °C (modelliert)</translation>
    </message>
    <message>
        <source>IPU W (modelled)</source>
        <translation>IPU W (modelliert)</translation>
    </message>
    <message>
        <source>Board W (modelled)</source>
        <translation>Platine W (modelliert)</translation>
    </message>
    <message>
        <source>operation</source>
        <translation>Operation</translation>
    </message>
    <message>
        <source>The model: one bar for each weight update</source>
        <translation>Das Modell: ein Balken je Gewichtsaktualisierung</translation>
    </message>
    <message>
        <source>Layers, coloured by pass</source>
        <translation>Schichten, nach Durchgang gefärbt</translation>
    </message>
    <message>
        <source>Operations of the layer above, coloured by pass</source>
        <translation>Operationen der Schicht darüber, nach Durchgang gefärbt</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Steps of the program, coloured by phase</source>
        <translation>Schritte des Programms, nach Phase gefärbt</translation>
    </message>
    <message>
        <source>Model, layer, operation and step, one bar for each</source>
        <translation>Modell, Schicht, Operation und Schritt, je ein Balken</translation>
    </message>
    <message>
        <source>layers and operations coloured by pass, steps by phase</source>
        <translation>Schichten und Operationen nach Durchgang gefärbt, Schritte nach Phase</translation>
    </message>
    <message>
        <source>At the end of the run</source>
        <translation>Am Ende des Laufs</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>loss %1 against %2, </source>
        <translation>Loss %1 gegen %2, </translation>
    </message>
    <message>
        <source>the same cycles (modelled)</source>
        <translation>gleich viele Takte (modelliert)</translation>
    </message>
    <message>
        <source>%1 in the run</source>
        <translation>%1 im Lauf</translation>
    </message>
    <message>
        <source>worst %1: %2 used</source>
        <translation>am vollsten %1: %2 belegt</translation>
    </message>
    <message>
        <source>gaps %1 more</source>
        <translation>dazu %1 Lücken</translation>
    </message>
    <message>
        <source>Cycles of the run</source>
        <translation>Takte des Laufs</translation>
    </message>
    <message>
        <source>No operation of this level</source>
        <translation>Keine Operation dieser Ebene</translation>
    </message>
    <message>
        <source>Keep runs</source>
        <translation>Läufe behalten</translation>
    </message>
    <message>
        <source> with gaps; no tile uses more than %1</source>
        <translation> mit Lücken; kein Tile belegt mehr als %1</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>Option %1</source>
        <translation>Option %1</translation>
    </message>
    <message>
        <source>Operation %1</source>
        <translation>Operation %1</translation>
    </message>
    <message>
        <source>Program step %1</source>
        <translation>Programmschritt %1</translation>
    </message>
    <message>
        <source>Variable %1</source>
        <translation>Variable %1</translation>
    </message>
    <message>
        <source>Cycles %1 to %2</source>
        <translation>Takte %1 bis %2</translation>
    </message>
    <message>
        <source>Finding %1</source>
        <translation>Hinweis %1</translation>
    </message>
    <message>
        <source>Nothing compiled yet. Compile the project to see where every byte and cycle goes.</source>
        <translation>Noch nichts kompiliert. Das Projekt kompilieren, um zu sehen, wohin jedes Byte und jeder Takt geht.</translation>
    </message>
    <message>
        <source>Open a report, or open a project and compile it.</source>
        <translation>Einen Bericht öffnen, oder ein Projekt öffnen und kompilieren.</translation>
    </message>
    <message>
        <source>Reading the report …</source>
        <translation>Der Bericht wird gelesen …</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>Noch einmal lesen</translation>
    </message>
    <message>
        <source>This report holds no part &apos;%1&apos;. %2</source>
        <translation>Dieser Bericht enthält keinen Teil „%1“. %2</translation>
    </message>
    <message>
        <source>The project has changed since this report was made.</source>
        <translation>Das Projekt hat sich geändert, seit dieser Bericht entstand.</translation>
    </message>
    <message>
        <source>Recompile</source>
        <translation>Neu kompilieren</translation>
    </message>
    <message>
        <source>Part &apos;%1&apos; of this report is not complete: its writer stopped at %2. %3</source>
        <translation>Der Teil „%1“ dieses Berichts ist nicht vollständig: Sein Schreiber hörte bei %2 auf. %3</translation>
    </message>
    <message>
        <source>predicted worst tile %1</source>
        <translation>vorhergesagtes vollstes Tile %1</translation>
    </message>
    <message numerus="yes">
        <source>%n pipeline stage(s)</source>
        <translation>
            <numerusform>%n Pipeline-Stufe</numerusform>
            <numerusform>%n Pipeline-Stufen</numerusform>
        </translation>
    </message>
    <message>
        <source>batch size %1</source>
        <translation>Batch-Größe %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tile(s)</source>
        <translation>
            <numerusform>%Ln Tile</numerusform>
            <numerusform>%Ln Tiles</numerusform>
        </translation>
    </message>
    <message>
        <source>target %1</source>
        <translation>Ziel %1</translation>
    </message>
    <message>
        <source>%1: fits, %2</source>
        <translation>%1: passt, %2</translation>
    </message>
    <message>
        <source>%1: would need %2</source>
        <translation>%1: bräuchte %2</translation>
    </message>
    <message>
        <source>does not fit: worst tile %1</source>
        <translation>passt nicht: vollstes Tile %1</translation>
    </message>
    <message>
        <source>Does not fit: %1 needs %2 and has %3</source>
        <translation>Passt nicht: %1 braucht %2 und hat %3</translation>
    </message>
    <message numerus="yes">
        <source>%Ln difference(s)</source>
        <translation>
            <numerusform>%Ln Unterschied</numerusform>
            <numerusform>%Ln Unterschiede</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the same cycles (modelled), %Ln difference(s)</source>
        <translation>
            <numerusform>gleich viele Takte (modelliert), %Ln Unterschied</numerusform>
            <numerusform>gleich viele Takte (modelliert), %Ln Unterschiede</numerusform>
        </translation>
    </message>
    <message>
        <source>Floor plan: %1</source>
        <translation>Grundriss: %1</translation>
    </message>
    <message>
        <source>Floor plan: bytes of %1 by tile, on %2 of %3 tiles (modelled)</source>
        <translation>Grundriss: Bytes von %1 je Tile, auf %2 von %3 Tiles (modelliert)</translation>
    </message>
    <message numerus="yes">
        <source>%Ln step(s)</source>
        <translation>
            <numerusform>%Ln Schritt</numerusform>
            <numerusform>%Ln Schritte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln step(s) in %1</source>
        <translation>
            <numerusform>%Ln Schritt in %1</numerusform>
            <numerusform>%Ln Schritte in %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Trying proposed changes</source>
        <translation>Vorgeschlagene Änderungen probieren</translation>
    </message>
    <message>
        <source>Trying changes that make it fit</source>
        <translation>Probieren, womit es passen würde</translation>
    </message>
    <message>
        <source>Reading reports of past runs</source>
        <translation>Berichte früherer Läufe werden gelesen</translation>
    </message>
    <message>
        <source>Reading the data</source>
        <translation>Daten werden gelesen</translation>
    </message>
    <message>
        <source>Reading the memory of the tiles</source>
        <translation>Lesen, was auf den Tiles liegt</translation>
    </message>
    <message>
        <source>Reading evidence</source>
        <translation>Beleg wird gelesen</translation>
    </message>
    <message>
        <source>Adding up</source>
        <translation>Wird zusammengezählt</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>Wird verglichen</translation>
    </message>
    <message>
        <source>Facts of the selection</source>
        <translation>Angaben zur Auswahl</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>Laying out the program</source>
        <translation>Das Programm wird angeordnet</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tile(s) over average by half</source>
        <translation>
            <numerusform>%Ln Tile um die Hälfte über dem Mittel</numerusform>
            <numerusform>%Ln Tiles um die Hälfte über dem Mittel</numerusform>
        </translation>
    </message>
    <message>
        <source>does not fit: %1 reaches %2 with gaps</source>
        <translation>passt nicht: %1 reicht mit Lücken bis %2</translation>
    </message>
    <message>
        <source>worst %1: %2 with gaps</source>
        <translation>vollstes %1: %2 mit Lücken</translation>
    </message>
    <message>
        <source>gaps %1 of it</source>
        <translation>davon Lücken %1</translation>
    </message>
    <message>
        <source>most used on %1: %2</source>
        <translation>am meisten benutzt auf %1: %2</translation>
    </message>
    <message>
        <source>not compared tile by tile</source>
        <translation>nicht Tile für Tile verglichen</translation>
    </message>
    <message>
        <source>every tile holds as many bytes as before</source>
        <translation>jedes Tile hält so viele Bytes wie vorher</translation>
    </message>
    <message>
        <source>changed most: %1 by %2</source>
        <translation>am meisten geändert: %1 um %2</translation>
    </message>
    <message>
        <source>changed most: %1 by +%2</source>
        <translation>am meisten geändert: %1 um +%2</translation>
    </message>
    <message>
        <source>no bytes on any of the tiles shown</source>
        <translation>keine Bytes auf den gezeigten Tiles</translation>
    </message>
    <message>
        <source>chosen variables: most on %1, %2</source>
        <translation>gewählte Variablen: am meisten auf %1, %2</translation>
    </message>
    <message>
        <source>%1 received most, %2</source>
        <translation>%1 hat am meisten empfangen, %2</translation>
    </message>
    <message>
        <source>%1 sent most, %2</source>
        <translation>%1 hat am meisten gesendet, %2</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>entry %1</source>
        <translation>Eintrag %1</translation>
    </message>
    <message>
        <source>before, %1</source>
        <translation>davor, %1</translation>
    </message>
    <message>
        <source>after, %1</source>
        <translation>dahinter, %1</translation>
    </message>
    <message numerus="yes">
        <source>%n pair(s) of whole numbers: before and after</source>
        <translation>
            <numerusform>%n Paar ganzer Zahlen: davor und dahinter</numerusform>
            <numerusform>%n Paare ganzer Zahlen: davor und dahinter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n whole number(s)</source>
        <translation>
            <numerusform>%n ganze Zahl</numerusform>
            <numerusform>%n ganze Zahlen</numerusform>
        </translation>
    </message>
    <message>
        <source>Insights tries changes by compiling them and offers those that fit.</source>
        <translation>Die Hinweise probieren Änderungen durch Kompilieren aus und bieten an, was passt.</translation>
    </message>
    <message>
        <source>on the host, nothing emulated</source>
        <translation>auf dem Host, nichts emuliert</translation>
    </message>
    <message>
        <source>%1 of memory here for it, at most</source>
        <translation>höchstens %1 Speicher hier dafür</translation>
    </message>
    <message>
        <source>Without effect yet</source>
        <translation>Noch ohne Wirkung</translation>
    </message>
    <message>
        <source>liveness step %1</source>
        <translation>Liveness-Schritt %1</translation>
    </message>
    <message>
        <source>Liveness step %1 of %2 · %3 live</source>
        <translation>Liveness-Schritt %1 von %2 · %3 live</translation>
    </message>
    <message>
        <source>Compared with %1: its peak was %2 at liveness step %3, now %4 (modelled)</source>
        <translation>Verglichen mit %1: Die Spitze war %2 in Liveness-Schritt %3, jetzt %4 (modelliert)</translation>
    </message>
    <message>
        <source>Without %1 variables the peak is %2 at liveness step %3, %4 lower. A guess from lifetimes: another placement or recomputation may need more.</source>
        <translation>Ohne %1 Variablen ist die Spitze %2 in Liveness-Schritt %3, %4 niedriger. Aus Lebensdauern geschätzt: Eine andere Platzierung oder Neuberechnung kann mehr brauchen.</translation>
    </message>
    <message>
        <source>liveness step %1: %2 holds most, %3 live</source>
        <translation>Liveness-Schritt %1: %2 hält am meisten, %3 live</translation>
    </message>
    <message>
        <source>bytes live on each tile at liveness step %1 (modelled)</source>
        <translation>Bytes, die auf jedem Tile in Liveness-Schritt %1 live sind (modelliert)</translation>
    </message>
    <message>
        <source>Bytes moved in a step</source>
        <translation>Bewegte Bytes eines Schritts</translation>
    </message>
    <message>
        <source>%1 moved in a step</source>
        <translation>%1 in einem Schritt bewegt</translation>
    </message>
    <message numerus="yes">
        <source>%n replica(s)</source>
        <translation>
            <numerusform>%n Replika</numerusform>
            <numerusform>%n Replikas</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, liveness step %2</source>
        <translation>%1, Liveness-Schritt %2</translation>
    </message>
    <message>
        <source>1 used: nothing is emulated on the host</source>
        <translation>1 wird benutzt: Auf dem Host ist nichts emuliert</translation>
    </message>
    <message>
        <source>%1 used: the system has %2 IPUs</source>
        <translation>%1 werden benutzt: Das System hat %2 IPUs</translation>
    </message>
    <message>
        <source>Liveness step %1</source>
        <translation>Liveness-Schritt %1</translation>
    </message>
    <message>
        <source>Where the run stands</source>
        <translation>Wo der Lauf steht</translation>
    </message>
    <message>
        <source>The run is paused after program step %1 of %2: %3</source>
        <translation>Der Lauf steht nach Programmschritt %1 von %2: %3</translation>
    </message>
    <message>
        <source>Memory of this computer that the compile took</source>
        <translation>Speicher dieses Rechners, den das Kompilieren brauchte</translation>
    </message>
    <message>
        <source>Peak memory of the process that compiled</source>
        <translation>Spitze des Speichers des Prozesses, der kompilierte</translation>
    </message>
    <message>
        <source>exchange in the IPU</source>
        <translation>Austausch in der IPU</translation>
    </message>
    <message>
        <source>%1 recorded here</source>
        <translation>%1 hier aufgezeichnet</translation>
    </message>
    <message>
        <source>(measured here)</source>
        <translation>(hier gemessen)</translation>
    </message>
    <message>
        <source>In</source>
        <translation>Hinein</translation>
    </message>
    <message>
        <source>Out</source>
        <translation>Hinaus</translation>
    </message>
    <message>
        <source>Run thread</source>
        <translation>Thread des Laufs</translation>
    </message>
    <message>
        <source>Streams to the device</source>
        <translation>Streams zum Gerät</translation>
    </message>
    <message>
        <source>Infeed thread</source>
        <translation>Thread der Zufuhr</translation>
    </message>
    <message>
        <source>Data thread</source>
        <translation>Thread der Daten</translation>
    </message>
    <message>
        <source>Execute</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Copy to the device</source>
        <translation>Zum Gerät kopieren</translation>
    </message>
    <message>
        <source>Gather micro-batch</source>
        <translation>Micro-Batch zusammenstellen</translation>
    </message>
    <message>
        <source>Generate data</source>
        <translation>Daten erzeugen</translation>
    </message>
    <message>
        <source>Open data</source>
        <translation>Daten öffnen</translation>
    </message>
    <message>
        <source>IPU %1 host streams</source>
        <translation>IPU %1 Host-Streams</translation>
    </message>
    <message>
        <source>IPU %1 stage %2</source>
        <translation>IPU %1 Stufe %2</translation>
    </message>
    <message>
        <source>Link IPU %1 to %2</source>
        <translation>Verbindung IPU %1 zu %2</translation>
    </message>
    <message>
        <source>project</source>
        <translation>Projekt</translation>
    </message>
    <message>
        <source>default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>training</source>
        <translation>das Training</translation>
    </message>
    <message>
        <source>engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Compile only</source>
        <translation>Nur kompiliert</translation>
    </message>
    <message>
        <source>here</source>
        <translation>hier</translation>
    </message>
    <message>
        <source>code of exchanges in the IPU</source>
        <translation>Code des Austauschs in der IPU</translation>
    </message>
    <message>
        <source>code of exchanges between IPUs</source>
        <translation>Code des Austauschs zwischen IPUs</translation>
    </message>
    <message>
        <source>code of host exchanges</source>
        <translation>Code des Austauschs mit dem Host</translation>
    </message>
    <message>
        <source>Busy now</source>
        <translation>Jetzt beschäftigt</translation>
    </message>
    <message>
        <source>Busy in all</source>
        <translation>Insgesamt beschäftigt</translation>
    </message>
    <message>
        <source>IPU °C</source>
        <translation>IPU °C</translation>
    </message>
    <message>
        <source>Board °C</source>
        <translation>Platine °C</translation>
    </message>
    <message>
        <source>IPU W</source>
        <translation>IPU W</translation>
    </message>
    <message>
        <source>Board W</source>
        <translation>Platine W</translation>
    </message>
    <message>
        <source>No process holds an IPU now. A run that starts here, or with “tilewright train” in a terminal, appears within a second.</source>
        <translation>Gerade hält kein Prozess eine IPU. Ein Lauf, der hier oder mit „tilewright train“ in einem Terminal beginnt, erscheint innerhalb einer Sekunde.</translation>
    </message>
    <message>
        <source>Busy shares, cycles, clocks, temperatures and power are modelled.</source>
        <translation>Auslastung, Takte, Taktfrequenzen, Temperaturen und Leistung sind modelliert.</translation>
    </message>
    <message>
        <source>Bytes moved</source>
        <translation>Bewegte Bytes</translation>
    </message>
    <message numerus="yes">
        <source>%Ln product(s) of the weights</source>
        <translation>
            <numerusform>%Ln Produkt der Gewichte</numerusform>
            <numerusform>%Ln Produkte der Gewichte</numerusform>
        </translation>
    </message>
    <message>
        <source>planned apart: %1 in all, on one grid %2</source>
        <translation>getrennt geplant: %1 insgesamt, auf einem Raster %2</translation>
    </message>
    <message>
        <source>planned together: %1 in all, on grids of their own %2</source>
        <translation>gemeinsam geplant: %1 insgesamt, auf eigenen Rastern %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln option(s) changed</source>
        <translation>
            <numerusform>%Ln Option geändert</numerusform>
            <numerusform>%Ln Optionen geändert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln problem(s)</source>
        <translation>
            <numerusform>%Ln Problem</numerusform>
            <numerusform>%Ln Probleme</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln error(s)</source>
        <translation>
            <numerusform>%Ln Fehler</numerusform>
            <numerusform>%Ln Fehler</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln warning(s)</source>
        <translation>
            <numerusform>%Ln Warnung</numerusform>
            <numerusform>%Ln Warnungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s)</source>
        <translation>
            <numerusform>%Ln Zeile</numerusform>
            <numerusform>%Ln Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln line(s)</source>
        <translation>
            <numerusform>%1 von %Ln Zeile</numerusform>
            <numerusform>%1 von %Ln Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln class(es)</source>
        <translation>
            <numerusform>%Ln Klasse</numerusform>
            <numerusform>%Ln Klassen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln step(s), %1</source>
        <translation>
            <numerusform>%Ln Schritt, %1</numerusform>
            <numerusform>%Ln Schritte, %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sample(s)</source>
        <translation>
            <numerusform>%Ln Beispiel</numerusform>
            <numerusform>%Ln Beispiele</numerusform>
        </translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Beispiele/s</translation>
    </message>
    <message numerus="yes">
        <source>%Ln finding(s)</source>
        <translation>
            <numerusform>%Ln Hinweis</numerusform>
            <numerusform>%Ln Hinweise</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln problem(s) keep the project from compiling.</source>
        <translation>
            <numerusform>%Ln Problem verhindert, dass das Projekt kompiliert wird.</numerusform>
            <numerusform>%Ln Probleme verhindern, dass das Projekt kompiliert wird.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln IPU(s)</source>
        <translation>
            <numerusform>%Ln IPU</numerusform>
            <numerusform>%Ln IPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln process(es)</source>
        <translation>
            <numerusform>%Ln Prozess</numerusform>
            <numerusform>%Ln Prozesse</numerusform>
        </translation>
    </message>
    <message>
        <source>planned together, which takes less memory: %1 in all, on grids of their own %2</source>
        <translation>gemeinsam geplant, was weniger Speicher braucht: %1 insgesamt, auf eigenen Rastern %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln epoch(s)</source>
        <translation>
            <numerusform>%Ln Epoche</numerusform>
            <numerusform>%Ln Epochen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln note(s)</source>
        <translation>
            <numerusform>%Ln Notiz</numerusform>
            <numerusform>%Ln Notizen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 program steps in %Ln function(s)</source>
        <translation>
            <numerusform>%1 Programmschritte in %Ln Funktion</numerusform>
            <numerusform>%1 Programmschritte in %Ln Funktionen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %Ln IPU(s)</source>
        <translation>
            <numerusform>%1, %Ln IPU</numerusform>
            <numerusform>%1, %Ln IPUs</numerusform>
        </translation>
    </message>
    <message>
        <source>Labels by output</source>
        <translation>Labels je Ausgang</translation>
    </message>
    <message>
        <source>Of a model with several outputs: the name of each that has labels of its own, with their file or array. The others take the training labels.</source>
        <translation>Bei einem Modell mit mehreren Ausgängen: der Name jedes Ausgangs, der eigene Labels hat, mit deren Datei oder Array. Die anderen nehmen die Trainingslabels.</translation>
    </message>
    <message>
        <source>Test labels by output</source>
        <translation>Testlabels je Ausgang</translation>
    </message>
    <message>
        <source>Sample weights</source>
        <translation>Gewichte der Beispiele</translation>
    </message>
    <message>
        <source>File or array with a weight for each training sample: what it counts in the loss.</source>
        <translation>Datei oder Array mit einem Gewicht für jedes Trainingsbeispiel: was es im Loss zählt.</translation>
    </message>
    <message>
        <source>all alike</source>
        <translation>alle gleich</translation>
    </message>
    <message>
        <source>Weights of the classes</source>
        <translation>Gewichte der Klassen</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>das %1-Fache</translation>
    </message>
    <message>
        <source>Bytes per cycle in (above) and out (below); pale: the most, solid: the mean.
All tiles can receive %1 and send %2 bytes per cycle (modelled): neighbours that hear the same words get them at twice the rate.</source>
        <translation>Bytes je Takt hinein (oben) und hinaus (unten); blass: das Höchste, kräftig: das Mittel.
Alle Tiles können %1 Byte je Takt empfangen und %2 senden (modelliert): Nachbarn, die dieselben Wörter hören, bekommen sie doppelt so schnell.</translation>
    </message>
    <message>
        <source>Time (%1)</source>
        <translation>Zeit (%1)</translation>
    </message>
    <message>
        <source>Does not fit: %1 needs %2 at once, reaches %3 and has %4</source>
        <translation>Passt nicht: %1 braucht %2 zugleich, reicht bis %3 und hat %4</translation>
    </message>
    <message>
        <source>Exchange message</source>
        <translation>Nachricht (Austausch)</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>Fused-Modus</translation>
    </message>
    <message>
        <source>on tiles</source>
        <translation>Tile-Modus</translation>
    </message>
    <message>
        <source>the live data would fit, but the gaps between them are too small</source>
        <translation>was zugleich live ist, würde passen, aber nicht so, wie es liegen kann</translation>
    </message>
    <message>
        <source>Run</source>
        <comment>one that was made</comment>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>%1 of a step, %2</source>
        <translation>%1 eines Schritts, %2</translation>
    </message>
    <message>
        <source>Exchange and control code</source>
        <translation>Austausch- und Steuercode</translation>
    </message>
    <message>
        <source>The live data would fit together, but no gap between them is large enough for the data that must be placed there.</source>
        <translation>Was zugleich live ist, würde passen; kein Platz dazwischen ist so groß wie das, was dort liegen soll.</translation>
    </message>
    <message>
        <source>Cycles of a step (%1)</source>
        <translation>Takte eines Schritts (%1)</translation>
    </message>
    <message>
        <source>%1 an execution of this operation (%2)</source>
        <translation>%1 je Ausführung dieser Operation (%2)</translation>
    </message>
    <message>
        <source>%1 of a step, %2 (%3)</source>
        <translation>%1 eines Schritts, %2 (%3)</translation>
    </message>
    <message>
        <source>%1 of a step (%2)</source>
        <translation>%1 eines Schritts (%2)</translation>
    </message>
    <message>
        <source>%1: %2 of a step, bound by %3 (%4)</source>
        <translation>%1: %2 eines Schritts, begrenzt durch %3 (%4)</translation>
    </message>
    <message>
        <source>%1 of a step (%2, %3)</source>
        <translation>%1 eines Schritts (%2, %3)</translation>
    </message>
    <message>
        <source>%1 each (%2)</source>
        <translation>je %1 (%2)</translation>
    </message>
    <message>
        <source>&amp;Compile</source>
        <translation>&amp;Kompilieren</translation>
    </message>
    <message>
        <source>Compile the project to see its cost and whether it fits</source>
        <translation>Das Projekt kompilieren: sehen, was es braucht und ob es passt</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Starten</translation>
    </message>
    <message>
        <source>Compile if needed and train</source>
        <translation>Kompiliert, wenn nötig, und trainiert</translation>
    </message>
    <message>
        <source>Run on &amp;tiles</source>
        <translation>Auf den &amp;Tiles starten</translation>
    </message>
    <message>
        <source>Train in tile mode: every tile&apos;s memory is emulated, which is slower</source>
        <translation>Im Tile-Modus trainieren: Der Speicher jedes Tiles wird emuliert, was langsamer ist</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>Pause after the step that has begun</source>
        <translation>Nach dem begonnenen Schritt anhalten</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>Continue the run</source>
        <translation>Den Lauf fortsetzen</translation>
    </message>
    <message>
        <source>One &amp;step</source>
        <translation>&amp;Ein Schritt</translation>
    </message>
    <message>
        <source>Do one step and pause again</source>
        <translation>Einen Schritt machen und wieder anhalten</translation>
    </message>
    <message>
        <source>One s&amp;uperstep</source>
        <translation>Ein S&amp;uperstep</translation>
    </message>
    <message>
        <source>Do one superstep of the tiles and pause again</source>
        <translation>Einen Superstep der Tiles machen und wieder anhalten</translation>
    </message>
    <message>
        <source>&amp;Stop after step</source>
        <translation>Nach dem Schritt &amp;stoppen</translation>
    </message>
    <message>
        <source>Stop after this step; checkpoint and report are written</source>
        <translation>Nach diesem Schritt stoppen; Checkpoint und Bericht werden geschrieben</translation>
    </message>
    <message>
        <source>Continue &amp;detached</source>
        <translation>&amp;Losgelöst fortsetzen</translation>
    </message>
    <message>
        <source>Continue in a separate process, so that you can close this window</source>
        <translation>In einem eigenen Prozess fortsetzen, sodass dieses Fenster geschlossen werden kann</translation>
    </message>
    <message>
        <source>Compiling …</source>
        <translation>Kompiliert …</translation>
    </message>
    <message>
        <source>Training on tiles has begun.</source>
        <translation>Das Training auf den Tiles hat begonnen.</translation>
    </message>
    <message>
        <source>Training has begun.</source>
        <translation>Das Training hat begonnen.</translation>
    </message>
    <message>
        <source>The compile was stopped.</source>
        <translation>Das Kompilieren wurde gestoppt.</translation>
    </message>
    <message>
        <source>Training was stopped before its first step.</source>
        <translation>Das Training wurde vor seinem ersten Schritt gestoppt.</translation>
    </message>
    <message>
        <source>on the tiles</source>
        <translation>auf den Tiles</translation>
    </message>
    <message>
        <source>%1/epoch %2</source>
        <translation>%1/Epoche %2</translation>
    </message>
    <message>
        <source>pipeline stage; -1: none</source>
        <translation>Pipeline-Stufe; -1: keine</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <comment>a schedule and its first rate</comment>
        <translation>%1 ab %2</translation>
    </message>
    <message>
        <source>above: received · below: sent · share of what all tiles can exchange at once, same scale in all lanes · ≤: maximum</source>
        <translation>oben: empfangen · unten: gesendet · Anteil dessen, was alle Tiles zugleich austauschen können, in allen Bahnen gleicher Maßstab · ≤: Höchstwert</translation>
    </message>
    <message>
        <source>weight update %1 of the step</source>
        <translation>Gewichtsänderung %1 des Schritts</translation>
    </message>
    <message>
        <source>Filling and draining takes %1 of the pipeline&apos;s time</source>
        <translation>Füllen und Leeren nehmen %1 der Zeit der Pipeline</translation>
    </message>
    <message>
        <source>Filling and draining leaves %1 of the schedule&apos;s places empty</source>
        <translation>Füllen und Leeren lassen %1 der Plätze des Ablaufs leer</translation>
    </message>
    <message>
        <source>It takes %1 per micro-batch, the mean is %2.</source>
        <translation>Sie braucht %1 je Micro-Batch, das Mittel ist %2.</translation>
    </message>
    <message>
        <source>Waiting for slower stages is %1 of the pipeline&apos;s time, all bubbles together are %2.</source>
        <translation>Warten auf langsamere Stufen ist %1 der Zeit der Pipeline, alle Blasen zusammen sind %2.</translation>
    </message>
    <message>
        <source>All bubbles together are %1 of the pipeline&apos;s time.</source>
        <translation>Alle Blasen zusammen sind %1 der Zeit der Pipeline.</translation>
    </message>
    <message>
        <source>Empty places of the schedule</source>
        <translation>Leere Plätze des Ablaufs</translation>
    </message>
    <message>
        <source>Cycles of a sample</source>
        <translation>Takte eines Beispiels</translation>
    </message>
    <message>
        <source>%1 fewer cycles per sample (modelled)</source>
        <translation>%1 weniger Takte je Beispiel (modelliert)</translation>
    </message>
    <message>
        <source>%1 more cycles per sample (modelled)</source>
        <translation>%1 mehr Takte je Beispiel (modelliert)</translation>
    </message>
    <message>
        <source>%1, with another batch</source>
        <translation>%1, bei anderem Batch</translation>
    </message>
    <message>
        <source>idle (in no program)</source>
        <translation>Leerlauf (in keinem Programm)</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>ramp up</source>
        <translation>Anlauf</translation>
    </message>
    <message>
        <source>ramp down</source>
        <translation>Auslauf</translation>
    </message>
    <message>
        <source>bubbles %1 of the pipeline&apos;s time</source>
        <translation>Blasen %1 der Zeit der Pipeline</translation>
    </message>
    <message>
        <source>Idle (in no program)</source>
        <translation>Leerlauf (in keinem Programm)</translation>
    </message>
    <message>
        <source>the same tile of the next replica</source>
        <translation>das gleiche Tile der nächsten Replika</translation>
    </message>
    <message>
        <source>itself</source>
        <translation>sich selbst</translation>
    </message>
    <message>
        <source>a step is of %1 samples and of %2: its bytes and its cycles are neither better nor worse, cycles of a sample are</source>
        <translation>ein Schritt hat %1 und %2 Beispiele: seine Bytes und Takte sind weder besser noch schlechter, Takte je Beispiel schon</translation>
    </message>
    <message>
        <source>of the pipeline&apos;s time: %1</source>
        <translation>der Zeit der Pipeline: %1</translation>
    </message>
    <message>
        <source>%1 of the schedule&apos;s places are empty</source>
        <translation>%1 der Plätze des Plans sind leer</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>Kritischer Pfad</translation>
    </message>
    <message>
        <source>Bubble (no task)</source>
        <translation>Blase (keine Aufgabe)</translation>
    </message>
    <message>
        <source>Begin of a slot</source>
        <translation>Beginn eines Zeitfachs</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>%1 cycles, %2</source>
        <translation>%1 Takte, %2</translation>
    </message>
    <message>
        <source>%1, difference</source>
        <translation>%1, Unterschied</translation>
    </message>
    <message>
        <source>%1, change</source>
        <translation>%1, Änderung</translation>
    </message>
    <message>
        <source>no cycles in %1 to compare with</source>
        <translation>in %1 gibt es keine Takte zum Vergleichen</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 gegen %2</translation>
    </message>
    <message>
        <source>cycles per sample: the same as in %1 (%2)</source>
        <translation>Takte je Beispiel: dieselben wie in %1 (%2)</translation>
    </message>
    <message>
        <source>cycles per step: the same as in %1 (%2)</source>
        <translation>Takte je Schritt: dieselben wie in %1 (%2)</translation>
    </message>
    <message>
        <source>with a different batch size, cycles per sample: %1 (%2) fewer than in %3 (%4)</source>
        <translation>mit anderer Batch-Größe, Takte je Beispiel: %1 (%2) weniger als in %3 (%4)</translation>
    </message>
    <message>
        <source>with a different batch size, cycles per sample: %1 (%2) more than in %3 (%4)</source>
        <translation>mit anderer Batch-Größe, Takte je Beispiel: %1 (%2) mehr als in %3 (%4)</translation>
    </message>
    <message>
        <source>per step: %1 (%2) less than in %3 (%4)</source>
        <translation>je Schritt: %1 (%2) weniger als in %3 (%4)</translation>
    </message>
    <message>
        <source>per step: %1 (%2) more than in %3 (%4)</source>
        <translation>je Schritt: %1 (%2) mehr als in %3 (%4)</translation>
    </message>
    <message>
        <source>In %1</source>
        <translation>In %1</translation>
    </message>
    <message>
        <source>%1 in %2 (%3)</source>
        <translation>%1 in %2 (%3)</translation>
    </message>
    <message>
        <source>the same program steps</source>
        <translation>dieselben Programmschritte</translation>
    </message>
    <message>
        <source>Step code</source>
        <translation>Schrittcode</translation>
    </message>
    <message>
        <source>What %1 does in the same cycles</source>
        <translation>Was %1 in denselben Takten tut</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>in %1</translation>
    </message>
    <message>
        <source>%1, in %2</source>
        <translation>%1, in %2</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>the whole step</source>
        <translation>der ganze Schritt</translation>
    </message>
    <message>
        <source>Share, %1</source>
        <translation>Anteil, %1</translation>
    </message>
    <message>
        <source>Baseline share</source>
        <translation>Anteil der Basis</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>„%1“</translation>
    </message>
    <message>
        <source>added</source>
        <comment>column</comment>
        <translation>neu</translation>
    </message>
    <message>
        <source>removed</source>
        <comment>column</comment>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>Baseline</source>
        <comment>column</comment>
        <translation>Basis</translation>
    </message>
    <message>
        <source>%1 added</source>
        <translation>%1 neu</translation>
    </message>
    <message>
        <source>%1 removed</source>
        <translation>%1 entfernt</translation>
    </message>
    <message>
        <source>%1 with other cycles</source>
        <translation>%1 mit anderen Takten</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Variables at the peak</source>
        <translation>Variablen an der Spitze</translation>
    </message>
    <message>
        <source>Variables that always live</source>
        <translation>Immer lebende Variablen</translation>
    </message>
    <message>
        <source>Vertices by state</source>
        <translation>Vertices nach Zustand</translation>
    </message>
    <message>
        <source>Vertices by code</source>
        <translation>Vertices nach Code</translation>
    </message>
    <message>
        <source>Exchanges by code</source>
        <translation>Austausche nach Code</translation>
    </message>
    <message>
        <source>Exchanges by bytes moved</source>
        <translation>Austausche nach bewegten Bytes</translation>
    </message>
    <message>
        <source>whole model</source>
        <translation>ganzes Modell</translation>
    </message>
    <message>
        <source>Variables at the peak, liveness step %1</source>
        <translation>Variablen an der Spitze, Liveness-Schritt %1</translation>
    </message>
    <message>
        <source>Without what always lives.</source>
        <translation>Ohne das, was immer lebt.</translation>
    </message>
    <message>
        <source>By the share of a compute set&apos;s vertices that lie there.</source>
        <translation>Nach dem Anteil der Vertices eines Compute-Sets, die dort liegen.</translation>
    </message>
    <message>
        <source>The larger of the bytes sent and received there, in one execution.</source>
        <translation>Das Größere von dem, was dort gesendet und empfangen wird, in einer Ausführung.</translation>
    </message>
    <message>
        <source>In one execution.</source>
        <translation>In einer Ausführung.</translation>
    </message>
    <message>
        <source>Tile</source>
        <translation>Tile</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>Benutzt</translation>
    </message>
    <message numerus="yes">
        <source>%n error(s): %1</source>
        <translation>
            <numerusform>%n Fehler: %1</numerusform>
            <numerusform>%n Fehler: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s), folded</source>
        <translation>
            <numerusform>%n Schicht, eingeklappt</numerusform>
            <numerusform>%n Schichten, eingeklappt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 vertex(es)</source>
        <translation>
            <numerusform>%1 Vertex</numerusform>
            <numerusform>%1 Vertices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 exchange(s)</source>
        <translation>
            <numerusform>%1 Austausch</numerusform>
            <numerusform>%1 Austausche</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln stage(s)</source>
        <translation>
            <numerusform>%Ln Stufe</numerusform>
            <numerusform>%Ln Stufen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln micro-batch(es)</source>
        <translation>
            <numerusform>%Ln Micro-Batch</numerusform>
            <numerusform>%Ln Micro-Batches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 (%Ln time(s))</source>
        <translation>
            <numerusform>%1 (%Ln-mal)</numerusform>
            <numerusform>%1 (%Ln-mal)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln number(s)</source>
        <translation>
            <numerusform>%Ln Zahl</numerusform>
            <numerusform>%Ln Zahlen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>unbalanced: class %1 has %2 sample(s)</source>
        <translation>
            <numerusform>unausgewogen: Klasse %1 hat %2 Beispiel</numerusform>
            <numerusform>unausgewogen: Klasse %1 hat %2 Beispiele</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 sample(s)</source>
        <translation>
            <numerusform>%1 Beispiel</numerusform>
            <numerusform>%1 Beispiele</numerusform>
        </translation>
    </message>
    <message>
        <source>Cache look-up</source>
        <translation>Nachsehen im Cache</translation>
    </message>
    <message>
        <source>Model to graph</source>
        <translation>Modell zu Graph</translation>
    </message>
    <message>
        <source>Graph optimisations</source>
        <translation>Graph optimieren</translation>
    </message>
    <message>
        <source>Graph construction</source>
        <translation>Graph aufbauen</translation>
    </message>
    <message>
        <source>Exchange and schedule</source>
        <translation>Austausch und Ablauf</translation>
    </message>
    <message>
        <source>Memory allocation</source>
        <translation>Speicher verteilen</translation>
    </message>
    <message>
        <source>Planning for less memory</source>
        <translation>Planen für weniger Speicher</translation>
    </message>
    <message>
        <source>Cache store</source>
        <translation>Ablegen im Cache</translation>
    </message>
    <message>
        <source>Report detail</source>
        <translation>Einzelheiten des Berichts</translation>
    </message>
    <message>
        <source>Pre-planning operations</source>
        <translation>Operationen vorplanen</translation>
    </message>
    <message>
        <source>Graph compilation</source>
        <translation>Graph übersetzen</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>Durchgänge</translation>
    </message>
    <message>
        <source>Planning</source>
        <translation>Planen</translation>
    </message>
    <message>
        <source>Evaluate</source>
        <translation>Auswerten</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Conformance</source>
        <translation>Konformität</translation>
    </message>
    <message>
        <source>Waiting for another process that compiles the same</source>
        <translation>Warten auf einen anderen Prozess, der dasselbe kompiliert</translation>
    </message>
    <message>
        <source>Checking the cache</source>
        <translation>Cache wird geprüft</translation>
    </message>
    <message>
        <source>Generating data</source>
        <translation>Daten werden erzeugt</translation>
    </message>
    <message>
        <source>Reading data</source>
        <translation>Daten werden gelesen</translation>
    </message>
    <message>
        <source>Wait for a device</source>
        <translation>Warten auf ein Gerät</translation>
    </message>
    <message>
        <source>Zoom levels</source>
        <translation>Zoomstufen</translation>
    </message>
    <message>
        <source>Trial compiles</source>
        <translation>Probeweise kompilieren</translation>
    </message>
    <message>
        <source>Copying checkpoints</source>
        <translation>Checkpoints werden kopiert</translation>
    </message>
    <message>
        <source>%1, %2 (%3)</source>
        <translation>%1, %2 (%3)</translation>
    </message>
    <message numerus="yes">
        <source>%Ln of %1 tiles are over their limit. </source>
        <translation>
            <numerusform>%Ln von %1 Tiles liegt über seiner Grenze. </numerusform>
            <numerusform>%Ln von %1 Tiles liegen über ihrer Grenze. </numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It takes %1 of a step. The slowest of %Ln active tile(s) computes %2 each time; the others wait.</source>
        <translation>
            <numerusform>Es nimmt %1 eines Schritts. Das einzige aktive Tile rechnet jedes Mal %2; die anderen warten.</numerusform>
            <numerusform>Es nimmt %1 eines Schritts. Das langsamste von %Ln aktiven Tiles rechnet jedes Mal %2; die anderen warten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln compute set(s) are shorter than a barrier</source>
        <translation>
            <numerusform>%Ln Compute-Set ist kürzer als eine Barriere</numerusform>
            <numerusform>%Ln Compute-Sets sind kürzer als eine Barriere</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>They run %Ln time(s) and pay %1 of sync each: %2 of a step.</source>
        <translation>
            <numerusform>Sie laufen %Ln-mal und zahlen jedes Mal %1 Sync: %2 eines Schritts.</numerusform>
            <numerusform>Sie laufen %Ln-mal und zahlen jedes Mal %1 Sync: %2 eines Schritts.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 in %Ln transfer(s) take %2 on IPU %3; the link alone would need %4.</source>
        <translation>
            <numerusform>%1 in %Ln Übertragung dauern %2 auf IPU %3; der Link allein bräuchte %4.</numerusform>
            <numerusform>%1 in %Ln Übertragungen dauern %2 auf IPU %3; der Link allein bräuchte %4.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln step(s) so far</source>
        <translation>
            <numerusform>bisher %Ln Schritt</numerusform>
            <numerusform>bisher %Ln Schritte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 element(s)</source>
        <translation>
            <numerusform>%1 Element</numerusform>
            <numerusform>%1 Elemente</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> · %1 parameter(s) · output %2</source>
        <translation>
            <numerusform> · %1 Parameter · Ausgang %2</numerusform>
            <numerusform> · %1 Parameter · Ausgang %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln layer(s)</source>
        <translation>
            <numerusform>%Ln Schicht</numerusform>
            <numerusform>%Ln Schichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> · %1 parameter(s) together</source>
        <translation>
            <numerusform> · %1 Parameter zusammen</numerusform>
            <numerusform> · %1 Parameter zusammen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 parameter(s)</source>
        <translation>
            <numerusform>%1 Parameter</numerusform>
            <numerusform>%1 Parameter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1%2 parameter(s)</source>
        <translation>
            <numerusform>%1%2 Parameter</numerusform>
            <numerusform>%1%2 Parameter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Bytes on %Ln tile(s)</source>
        <translation>
            <numerusform>Bytes auf %Ln Tile</numerusform>
            <numerusform>Bytes auf %Ln Tiles</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Vertices on %Ln tile(s)</source>
        <translation>
            <numerusform>Vertices auf %Ln Tile</numerusform>
            <numerusform>Vertices auf %Ln Tiles</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Code on %Ln tile(s)</source>
        <translation>
            <numerusform>Code auf %Ln Tile</numerusform>
            <numerusform>Code auf %Ln Tiles</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Received by %Ln tile(s)</source>
        <translation>
            <numerusform>Von %Ln Tile empfangen</numerusform>
            <numerusform>Von %Ln Tiles empfangen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln operation(s); the report holds no measured times of them</source>
        <translation>
            <numerusform>%Ln Operation; kein Lauf in diesem Bericht sagt, wie lange sie dauert</numerusform>
            <numerusform>%Ln Operationen; kein Lauf in diesem Bericht sagt, wie lange sie dauern</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>gradients of %n micro-batch(es)</source>
        <translation>
            <numerusform>Gradienten von %n Micro-Batch</numerusform>
            <numerusform>Gradienten von %n Micro-Batches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sample(s) at most</source>
        <translation>
            <numerusform>höchstens %Ln Beispiel</numerusform>
            <numerusform>höchstens %Ln Beispiele</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Train on %1 sample(s)</source>
        <translation>
            <numerusform>Auf %1 Beispiel trainieren</numerusform>
            <numerusform>Auf %1 Beispielen trainieren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Use %Ln step(s) per execution</source>
        <translation>
            <numerusform>%Ln Schritt je Ausführung nehmen</numerusform>
            <numerusform>%Ln Schritte je Ausführung nehmen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln loss(es)</source>
        <translation>
            <numerusform>%Ln Loss</numerusform>
            <numerusform>%Ln Losses</numerusform>
        </translation>
    </message>
    <message>
        <source> · %1 of %2, %3 each</source>
        <translation> · %1 mal %2, je %3</translation>
    </message>
    <message numerus="yes">
        <source>%1 weight update(s)</source>
        <translation>
            <numerusform>%1 Gewichtsänderung</numerusform>
            <numerusform>%1 Gewichtsänderungen</numerusform>
        </translation>
    </message>
    <message>
        <source> · %1, %2 per weight update</source>
        <translation> · %1, %2 je Gewichtsänderung</translation>
    </message>
    <message numerus="yes">
        <source>%1 sample(s) before the host hears of the device again</source>
        <translation>
            <numerusform>%1 Beispiel, bevor der Host wieder vom Gerät hört</numerusform>
            <numerusform>%1 Beispiele, bevor der Host wieder vom Gerät hört</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 vertex(es), %2 of state, %3 of code each tile</source>
        <translation>
            <numerusform>%1 Vertex, %2 Zustand, %3 Code auf jedem Tile</numerusform>
            <numerusform>%1 Vertices, %2 Zustand, %3 Code auf jedem Tile</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 so far</source>
        <translation>bisher %1</translation>
    </message>
    <message numerus="yes">
        <source>one of %Ln name(s)</source>
        <translation>
            <numerusform>einer von %Ln Namen</numerusform>
            <numerusform>einer von %Ln Namen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Training finished after %Ln step(s): loss %1.</source>
        <translation>
            <numerusform>Training beendet nach %Ln Schritt: Loss %1.</numerusform>
            <numerusform>Training beendet nach %Ln Schritten: Loss %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln operation(s)</source>
        <translation>
            <numerusform>%Ln Operation</numerusform>
            <numerusform>%Ln Operationen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln compute set(s)</source>
        <translation>
            <numerusform>%Ln Compute-Set</numerusform>
            <numerusform>%Ln Compute-Sets</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln program step(s)</source>
        <translation>
            <numerusform>%Ln Programmschritt</numerusform>
            <numerusform>%Ln Programmschritte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln variable(s)</source>
        <translation>
            <numerusform>%Ln Variable</numerusform>
            <numerusform>%Ln Variablen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln vertex type(s)</source>
        <translation>
            <numerusform>%Ln Vertextyp</numerusform>
            <numerusform>%Ln Vertextypen</numerusform>
        </translation>
    </message>
    <message>
        <source>Where a step&apos;s cycles go (%1; %2, %3)</source>
        <translation>Wohin die Takte eines Schritts gehen (%1; %2, %3)</translation>
    </message>
    <message numerus="yes">
        <source>%Ln event(s)</source>
        <translation>
            <numerusform>%Ln Ereignis</numerusform>
            <numerusform>%Ln Ereignisse</numerusform>
        </translation>
    </message>
    <message>
        <source>as before</source>
        <translation>wie zuvor</translation>
    </message>
    <message>
        <source>Opening the project</source>
        <translation>Projekt wird geöffnet</translation>
    </message>
    <message>
        <source>Saving the project</source>
        <translation>Projekt wird gespeichert</translation>
    </message>
    <message>
        <source>The project was changed after the run began: its checkpoint would be of another model. Undo the changes and save, or stop the run; its weights are then kept in a file of their own.</source>
        <translation>Das Projekt wurde geändert, nachdem der Lauf begonnen hatte: Sein Checkpoint gehörte zu einem anderen Modell. Machen Sie die Änderungen rückgängig und speichern Sie, oder halten Sie den Lauf an; seine Gewichte stehen dann in einer eigenen Datei.</translation>
    </message>
    <message>
        <source>schedule: one stage works at a time</source>
        <translation>Plan: eine Stufe arbeitet zur Zeit</translation>
    </message>
    <message>
        <source>schedule</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>The sequential schedule runs one stage of one micro-batch at a time. In the grouped one stages work at the same time, and activations wait for their backward.</source>
        <translation>Der sequenzielle Plan (sequential) lässt eine Stufe eines Micro-Batches zur Zeit laufen. Im gruppierten (grouped) arbeiten Stufen zugleich, und Aktivierungen warten auf ihren Rückweg.</translation>
    </message>
    <message>
        <source>The interleaved schedule has a forward beside a backward in a slot, which takes as long as the longer. The grouped one has both on each IPU, and twice the activations wait.</source>
        <translation>Der verschränkte Plan (interleaved) hat in einem Slot vorwärts neben rückwärts, und der Slot dauert so lange wie das Längere. Der gruppierte (grouped) hat beides auf jeder IPU, und doppelt so viele Aktivierungen warten.</translation>
    </message>
    <message>
        <source>Weight update</source>
        <translation>Gewichtsänderung</translation>
    </message>
    <message>
        <source>predicted: about %1 less a step (modelled)</source>
        <translation>vorhergesagt: etwa %1 weniger je Schritt (modelliert)</translation>
    </message>
    <message>
        <source>Cycles of a step of the validation</source>
        <translation>Takte eines Validierungsschritts</translation>
    </message>
    <message>
        <source>Validation on the device</source>
        <translation>Validierung auf dem Gerät</translation>
    </message>
    <message>
        <source>Loading executables to validate</source>
        <translation>Laden der Executables zum Validieren</translation>
    </message>
    <message>
        <source>Validation executable</source>
        <translation>Executable der Validierung</translation>
    </message>
    <message>
        <source>on the device, and %1 to load executables for it</source>
        <translation>auf dem Gerät, und %1, um Executables dafür zu laden</translation>
    </message>
    <message>
        <source>on the device, as an entry of the executable that trains</source>
        <translation>auf dem Gerät, als Einsprung im Executable des Trainings</translation>
    </message>
    <message>
        <source>IPUs of the stages</source>
        <translation>IPUs der Stufen</translation>
    </message>
    <message>
        <source>cycles of the compiler</source>
        <translation>Zyklen des Compilers</translation>
    </message>
    <message>
        <source>estimated from multiply-adds</source>
        <translation>nach Multiplikationen geschätzt</translation>
    </message>
    <message>
        <source>%1, %2: %3 (%4 ramp-up, %5 steady, %6 ramp-down) · bubbles about %7 (%8)</source>
        <translation>%1, %2: %3 (%4 Anlauf, %5 eingeschwungen, %6 Auslauf) · Blasen etwa %7 (%8)</translation>
    </message>
    <message>
        <source>Give each stage an IPU of its own</source>
        <translation>Jeder Stufe eine eigene IPU geben</translation>
    </message>
    <message>
        <source>gaps %1 more there</source>
        <translation>dort dazu %1 Lücken</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln tile(s) over the limit</source>
        <translation>
            <numerusform>%1 von %Ln Tile über der Grenze</numerusform>
            <numerusform>%1 von %Ln Tiles über der Grenze</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>on %1 of %Ln tile(s)</source>
        <translation>
            <numerusform>auf %1 von %Ln Tile</numerusform>
            <numerusform>auf %1 von %Ln Tiles</numerusform>
        </translation>
    </message>
    <message>
        <source>Training continues after epoch %1 (step %2).</source>
        <translation>Das Training geht hinter Epoche %1 (Schritt %2) weiter.</translation>
    </message>
    <message>
        <source>C&amp;ontinue training</source>
        <translation>Training f&amp;ortsetzen</translation>
    </message>
    <message>
        <source>Train on from the weights that the project holds; epochs count from the beginning</source>
        <translation>Von den Gewichten aus weitertrainieren, die das Projekt hält; Epochen zählen von Anfang an</translation>
    </message>
    <message>
        <source>Use %1 replicas</source>
        <translation>%1 Replikas verwenden</translation>
    </message>
    <message>
        <source>Reserve %1 IO tiles</source>
        <translation>%1 IO-Tiles reservieren</translation>
    </message>
    <message>
        <source>would not fit (%1 of a tile)</source>
        <translation>würde nicht passen (%1 eines Tiles)</translation>
    </message>
    <message>
        <source>fits, fullest tile %1; %2 samples/s (modelled)</source>
        <translation>passt, vollstes Tile %1; %2 Beispiele/s (modelliert)</translation>
    </message>
    <message>
        <source>fits, fullest tile %1; %2 samples/s, %3 more (modelled)</source>
        <translation>passt, vollstes Tile %1; %2 Beispiele/s, %3 mehr (modelliert)</translation>
    </message>
    <message>
        <source>fits, fullest tile %1; %2 samples/s, %3 less (modelled)</source>
        <translation>passt, vollstes Tile %1; %2 Beispiele/s, %3 weniger (modelliert)</translation>
    </message>
    <message>
        <source>Tune</source>
        <translation>Abstimmen</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>%1 hinzufügen</translation>
    </message>
    <message numerus="yes">
        <source>%1 test sample(s)</source>
        <translation>
            <numerusform>%1 Testbeispiel</numerusform>
            <numerusform>%1 Testbeispielen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 validation sample(s)</source>
        <translation>
            <numerusform>%1 Validierungsbeispiel</numerusform>
            <numerusform>%1 Validierungsbeispielen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 training sample(s)</source>
        <translation>
            <numerusform>%1 Trainingsbeispiel</numerusform>
            <numerusform>%1 Trainingsbeispielen</numerusform>
        </translation>
    </message>
    <message>
        <source>Loss %1 on %2</source>
        <translation>Loss %1 auf %2</translation>
    </message>
    <message>
        <source>Time here (measured)</source>
        <translation>Zeit hier (gemessen)</translation>
    </message>
    <message>
        <source>Time of the device (modelled)</source>
        <translation>Zeit des Geräts (modelliert)</translation>
    </message>
    <message>
        <source>Predictions for %1; the first %2 are shown</source>
        <translation>Vorhersagen für %1; die ersten %2 werden gezeigt</translation>
    </message>
    <message>
        <source>Predictions for %1</source>
        <translation>Vorhersagen für %1</translation>
    </message>
    <message>
        <source>Largest at</source>
        <translation>Größter bei</translation>
    </message>
    <message>
        <source>Its value</source>
        <translation>Sein Wert</translation>
    </message>
    <message numerus="yes">
        <source>Fused and tile mode agree over %Ln weight update(s)</source>
        <translation>
            <numerusform>Fused- und Tile-Modus stimmen über %Ln Gewichtsänderung überein</numerusform>
            <numerusform>Fused- und Tile-Modus stimmen über %Ln Gewichtsänderungen überein</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Fused and tile mode differ over %Ln weight update(s)</source>
        <translation>
            <numerusform>Fused- und Tile-Modus weichen über %Ln Gewichtsänderung ab</numerusform>
            <numerusform>Fused- und Tile-Modus weichen über %Ln Gewichtsänderungen ab</numerusform>
        </translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Largest difference (relative)</source>
        <translation>Größter Unterschied (relativ)</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>Toleranz</translation>
    </message>
    <message>
        <source>Fullest tile</source>
        <translation>Vollstes Tile</translation>
    </message>
    <message>
        <source>Times as it is</source>
        <translation>Mal wie jetzt</translation>
    </message>
    <message>
        <source>does not fit: %1</source>
        <translation>passt nicht: %1</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>wie jetzt</translation>
    </message>
    <message>
        <source>(changes results)</source>
        <translation>(ändert Ergebnisse)</translation>
    </message>
    <message numerus="yes">
        <source>Nothing that was tried fits (%Ln compile(s))</source>
        <translation>
            <numerusform>Nichts Erprobtes passt (%Ln Kompilierung)</numerusform>
            <numerusform>Nichts Erprobtes passt (%Ln Kompilierungen)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing that was tried is faster than the project as it is (%Ln compile(s))</source>
        <translation>
            <numerusform>Nichts Erprobtes ist schneller als das Projekt, wie es ist (%Ln Kompilierung)</numerusform>
            <numerusform>Nichts Erprobtes ist schneller als das Projekt, wie es ist (%Ln Kompilierungen)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The fastest of %Ln compile(s): %1 times as many samples a second</source>
        <translation>
            <numerusform>Die schnellste von %Ln Kompilierung: %1-mal so viele Beispiele je Sekunde</numerusform>
            <numerusform>Die schnellste von %Ln Kompilierungen: %1-mal so viele Beispiele je Sekunde</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Evaluate</source>
        <translation>Aus&amp;werten</translation>
    </message>
    <message>
        <source>Loss and metrics of the trained weights on the test samples</source>
        <translation>Loss und Metriken der trainierten Gewichte auf den Testbeispielen</translation>
    </message>
    <message>
        <source>Predictions of the trained weights for the test samples</source>
        <translation>Vorhersagen der trainierten Gewichte für die Testbeispiele</translation>
    </message>
    <message>
        <source>&amp;Verify</source>
        <translation>&amp;Prüfen</translation>
    </message>
    <message>
        <source>Run fused and tile mode side by side and compare every tensor</source>
        <translation>Fused- und Tile-Modus nebeneinander ausführen und jeden Tensor vergleichen</translation>
    </message>
    <message>
        <source>Tu&amp;ne</source>
        <translation>Abst&amp;immen</translation>
    </message>
    <message>
        <source>Compile the project with other settings and rank them by speed, for a minute</source>
        <translation>Das Projekt eine Minute lang mit anderen Einstellungen kompilieren und sie nach Tempo ordnen</translation>
    </message>
    <message>
        <source>%1 %2 (slowest: %3)</source>
        <translation>%1 %2 (langsamstes: %3)</translation>
    </message>
    <message>
        <source>By layer: %1.</source>
        <translation>Nach Schicht: %1.</translation>
    </message>
    <message>
        <source>By operation: %1.</source>
        <translation>Nach Operation: %1.</translation>
    </message>
    <message>
        <source>%1 are left. Largest there: %2.</source>
        <translation>%1 sind übrig. Größtes dort: %2.</translation>
    </message>
    <message numerus="yes">
        <source>Code must lie in the first %1 of a tile, while %2 of the tile are free elsewhere. %Ln tile(s) are like that.</source>
        <translation>
            <numerusform>Code muss in den ersten %1 eines Tiles liegen, während anderswo %2 des Tiles frei sind. So ist es auf %Ln Tile.</numerusform>
            <numerusform>Code muss in den ersten %1 eines Tiles liegen, während anderswo %2 des Tiles frei sind. So ist es auf %Ln Tiles.</numerusform>
        </translation>
    </message>
    <message>
        <source>A tile has %1. Another cut into stages moves layers to the other IPUs.</source>
        <translation>Ein Tile hat %1. Ein anderer Schnitt in Stufen bringt Schichten auf die anderen IPUs.</translation>
    </message>
    <message>
        <source>%1 of %2 are code.</source>
        <translation>%1 von %2 sind Code.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln variable(s) of weights, activations and gradients are live there at the peak. Layers whose dtype is float16 or mixed_float16 hold them in 16 bits, which changes the results.</source>
        <translation>
            <numerusform>%Ln Variable von Gewichten, Aktivierungen und Gradienten ist dort an der Spitze live. Schichten mit dtype float16 oder mixed_float16 halten sie in 16 Bit, was die Ergebnisse ändert.</numerusform>
            <numerusform>%Ln Variablen von Gewichten, Aktivierungen und Gradienten sind dort an der Spitze live. Schichten mit dtype float16 oder mixed_float16 halten sie in 16 Bit, was die Ergebnisse ändert.</numerusform>
        </translation>
    </message>
    <message>
        <source>The slowest is %1.</source>
        <translation>Am langsamsten ist %1.</translation>
    </message>
    <message numerus="yes">
        <source>It takes %1 of a step (%2, %Ln execution(s)) while the other tiles wait.</source>
        <translation>
            <numerusform>Es braucht %1 eines Schritts (%2, %Ln Ausführung), während die anderen Tiles warten.</numerusform>
            <numerusform>Es braucht %1 eines Schritts (%2, %Ln Ausführungen), während die anderen Tiles warten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Exchange takes %1 of a step</source>
        <translation>Der Austausch braucht %1 eines Schritts</translation>
    </message>
    <message>
        <source>Tiles send and receive for %1 of each weight update.</source>
        <translation>Tiles senden und empfangen %1 lang je Gewichtsänderung.</translation>
    </message>
    <message>
        <source>Tiles wait %1 of a step for slower tiles</source>
        <translation>Tiles warten %1 eines Schritts auf langsamere</translation>
    </message>
    <message>
        <source>A compute phase ends with its slowest tile; the mean tile works %1 of that time. The busiest is %2: it computes for %3, the mean tile for %4.</source>
        <translation>Eine Rechenphase endet mit ihrem langsamsten Tile; das mittlere Tile arbeitet %1 dieser Zeit. Am meisten tut %2: Es rechnet %3 lang, das mittlere Tile %4.</translation>
    </message>
    <message>
        <source>IPU %1 waits at barriers for %2 of %3.</source>
        <translation>IPU %1 wartet an Barrieren %2 von %3.</translation>
    </message>
    <message>
        <source> The largest: %1, %2.</source>
        <translation> Die größte: %1, %2.</translation>
    </message>
    <message>
        <source> Handshakes are most of it; each serves one batch.</source>
        <translation> Das meiste sind Handshakes; jeder gilt für einen Batch.</translation>
    </message>
    <message numerus="yes">
        <source>A step takes %1 (modelled), with %Ln step(s) per execution.</source>
        <translation>
            <numerusform>Ein Schritt dauert %1 (modelliert), mit %Ln Schritt je Ausführung.</numerusform>
            <numerusform>Ein Schritt dauert %1 (modelliert), mit %Ln Schritten je Ausführung.</numerusform>
        </translation>
    </message>
    <message>
        <source>Estimated %1, ideally %2; it is %3 of a step.</source>
        <translation>Geschätzt %1, bestenfalls %2; das sind %3 eines Schritts.</translation>
    </message>
    <message numerus="yes">
        <source>With %Ln stage(s), all bubbles together are %1 of the pipeline&apos;s time. A weight update fills and drains the pipeline once.</source>
        <translation>
            <numerusform>Mit %Ln Stufe sind alle Blasen zusammen %1 der Zeit der Pipeline. Eine Gewichtsänderung füllt und leert die Pipeline einmal.</numerusform>
            <numerusform>Mit %Ln Stufen sind alle Blasen zusammen %1 der Zeit der Pipeline. Eine Gewichtsänderung füllt und leert die Pipeline einmal.</numerusform>
        </translation>
    </message>
    <message>
        <source>By the times of its stages, the grouped schedule takes %1 less of the pipeline&apos;s time</source>
        <translation>Nach den Zeiten der Stufen braucht der Plan Grouped %1 weniger der Zeit der Pipeline</translation>
    </message>
    <message>
        <source>The menu of the canvas proposes stages.</source>
        <translation>Das Menü der Zeichenfläche schlägt Stufen vor.</translation>
    </message>
    <message>
        <source>both runs are unfinished: their results are not judged</source>
        <translation>beide Läufe sind unvollendet: ihre Ergebnisse werden nicht bewertet</translation>
    </message>
    <message>
        <source>the first run is unfinished: results are not judged</source>
        <translation>der erste Lauf ist unvollendet: Ergebnisse werden nicht bewertet</translation>
    </message>
    <message>
        <source>the second run is unfinished: results are not judged</source>
        <translation>der zweite Lauf ist unvollendet: Ergebnisse werden nicht bewertet</translation>
    </message>
    <message>
        <source>pinned baseline</source>
        <translation>angeheftete Vergleichsbasis</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>The program ended during the run.</source>
        <translation>Das Programm endete während des Laufs.</translation>
    </message>
    <message>
        <source>Use %1 as data</source>
        <translation>%1 als Daten verwenden</translation>
    </message>
    <message>
        <source>A part of this report cannot be read: numbers and pictures made of it are missing or 0. %1</source>
        <translation>Ein Teil dieses Berichts ist nicht lesbar: Zahlen und Bilder daraus fehlen oder sind 0. %1</translation>
    </message>
    <message>
        <source>IPU %1 tile %2</source>
        <translation>IPU %1, Tile %2</translation>
    </message>
</context>
</TS>
