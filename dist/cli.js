#!/usr/bin/env node
// Written for any Node that knows modules: it has to say what is wrong on a version that cannot read the program itself.
var major = Number(process.versions.node.split(".")[0]);
if (major >= 22) {
  void import("./cli-main.js");
} else {
  process.stderr.write(
    "evalbatch needs Node 22 or newer, this is " +
      process.version +
      "\n  hint: install a newer Node from https://nodejs.org, or with a version manager: nvm install 24\n",
  );
  process.exitCode = 2;
}
