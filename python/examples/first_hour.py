# SPDX-License-Identifier: MIT
"""From the Twitch files as they are downloaded to a table of doubtful accounts, a report and a saved model.

    python3 first_hour.py FOLDER_OF_TWITCH OUTPUT_FOLDER
"""
import sys
import credence

graph = credence.open(sys.argv[1], label_column="mature")
print(graph)
model = credence.train(graph, "60/20/20", seed=1)
answers = model.predict(graph)
answers.flag_unknown(false_alarms=0.05)
print(f"right: {model.evaluate(graph)['accuracy']:.1%}")
table = answers.to_frame().sort_values("doubt", ascending=False)
table[table.unknown].to_csv(f"{sys.argv[2]}/doubtful.csv")
model.report(graph, f"{sys.argv[2]}/report.html", title="Twitch")
model.save(f"{sys.argv[2]}/model.safetensors")
