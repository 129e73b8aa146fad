# The workbench's targets: Qt, one precompiled header for all views, and the helper that makes a view's folder
# a target.
find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Svg SvgWidgets PrintSupport Network DBus LinguistTools)
find_package(QCustomPlotQt6 REQUIRED) # after PrintSupport, which its target uses

add_library(views_qt INTERFACE)
target_link_libraries(views_qt INTERFACE tilewright_flags Qt6::Widgets Qt6::Svg Qt6::PrintSupport Qt6::Network Qt6::DBus)
target_compile_definitions(views_qt INTERFACE QT_NO_FOREACH)

# Headers included by most files of views, precompiled once.
set(TILEWRIGHT_VIEWS_PCH ${TILEWRIGHT_ENGINE_PCH}
  <QAbstractItemModel> <QAction> <QApplication> <QBoxLayout> <QCheckBox> <QComboBox> <QCoreApplication> <QEvent> <QHeaderView> <QJsonObject>
  <QKeyEvent> <QLabel> <QLineEdit> <QList> <QLocale> <QMenu> <QObject> <QPainter> <QPainterPath> <QPointer> <QPushButton> <QScrollArea>
  <QSplitter> <QString> <QStringList> <QTimer> <QToolButton> <QToolTip> <QTreeView> <QWidget>)

# tw_view(views_memory SOURCES a.cpp … LINK views_common … ALONE b.cpp): a static library with moc; ALONE as in tw_module.
function(tw_view name)
  cmake_parse_arguments(ARG "SEPARATE" "" "SOURCES;LINK;PRIVATE;ALONE" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  if(NOT ARG_SEPARATE)
    tw_unity(${name} ALONE ${ARG_ALONE})
  endif()
  tw_moc(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC views_qt ${ARG_LINK} PRIVATE ${ARG_PRIVATE})
  if(NOT name STREQUAL "views_common")
    target_precompile_headers(${name} REUSE_FROM views_common)
  endif()
endfunction()
