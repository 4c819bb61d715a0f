# exit: 2
# stderr: credence: --format: expected text, markdown, csv or json, found 'xml'; see *
credence compare somewhere --a ours --b gpn --format xml
