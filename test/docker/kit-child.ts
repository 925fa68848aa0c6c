import { Readable } from "node:stream";
import { pack } from "tar-stream";
import type { Kit } from "../../src/kits/kit-recipe.ts";
import { createFiller, fillerName, kitVolumeLabels } from "../../src/sandbox/docker/kit-filler.ts";
import { kitVolumeName } from "../../src/sandbox/docker/kit-volumes.ts";
import { stampLabels } from "../../src/sandbox/docker/labels.ts";
import { currentOwner } from "../../src/sandbox/docker/owner.ts";
import { dockerEngine, never, openDriver } from "./engine.ts";

// A run of its own process, for the tests of kits. `use`: mounts the kit, runs its program, tells what it said. `hang`: begins to fill the
// kit's volume, says so, and never comes to an end.
const [how, directory = "", digest = "", runId = ""] = process.argv.slice(2);
const kit: Kit = { name: "tool", version: "1.0.0", directory, digest };

if (how === "use") {
  await using docker = await openDriver({ runId });
  await using sandbox = await docker.start({}, { kits: [kit] });
  const command = [`${sandbox.kitDir("tool")}/bin/tool`];
  const { output } = await sandbox.exec({ command, timeoutMs: 60_000, maxOutputBytes: 1000, signal: never });
  process.stdout.write(JSON.stringify({ said: output.stdout, filled: docker.lines.filter((line) => / filled in /.test(line)).length }));
} else if (dockerEngine !== undefined) {
  const { client } = dockerEngine;
  const volume = kitVolumeName(kit);
  const container = stampLabels({ runId, key: "kit tool", expiresAt: Math.ceil(Date.now() / 1000) + 3600, owner: currentOwner() });
  const filler = await createFiller(client, volume, fillerName(volume), { container, volume: kitVolumeLabels(kit, Date.now()) });
  if (filler === undefined) throw new Error("somebody else fills it");
  const tar = pack();
  tar.entry({ name: "bin/tool", mode: 0o755 }, "#!/bin/sh\necho half\n");
  // The archive has no end: whoever is killed here leaves a file and no marker.
  const path = `/containers/${fillerName(volume)}/archive`;
  const upload = Readable.from(tar);
  void client.call({ method: "PUT", path, query: { path: "/kit" }, upload, timeoutMs: 0 }).catch(() => undefined);
  process.stdout.write("filling\n");
  setInterval(() => undefined, 1000);
}
