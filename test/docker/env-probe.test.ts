import assert from "node:assert/strict";
import { z } from "zod";
import { makeProject, runCli } from "../e2e/cli.ts";
import { dockerTest, importImage, removeImage, testImage } from "./engine.ts";

const taskFile = z.object({
  environment_info: z.looseObject({ env_probe: z.record(z.string(), z.string()) }),
});
const runFile = z.object({ drift: z.array(z.looseObject({ field: z.string(), benign: z.boolean() })) });

function task(id: string, image: string): string {
  return `task_id: ${id}
description: ${id}
agent: {type: none}
sandbox: {driver: docker, docker: {image: "${image}", network: none}}
success_criteria:
  - {type: run_command, description: fine, command: "true"}
`;
}

dockerTest("each image is asked once for versions, whatever it has", async (engine) => {
  const other = `evalbatch-test-probe-${process.pid}`;
  await importImage(engine, other, undefined, ["USER 1000:1000"], { "etc/tool": "tool 1.10.0\n" });
  try {
    const images = [testImage, testImage, other, testImage, other, testImage];
    const files = images.map((image, index) => [`t/${index}.yaml`, task(`probe-${index}`, image)] as const);
    await using project = await makeProject(Object.fromEntries(files));
    const probes = ["tool=cat /etc/tool", "user=id -u", "tool-or-none=cat /etc/tool || echo none"];
    const end = await runCli(["run", "t", "-o", "out", "-j", "3", ...probes.flatMap((probe) => ["--env-probe", probe])], {
      cwd: project.dir,
    });
    assert.equal(end.code, 0, `${end.stderr}${end.stdout}`);
    for (const [index, image] of images.entries()) {
      const { environment_info: seen } = await project.readJson(`out/default/probe-${index}/00/task.json`, taskFile);
      const own = image === other ? { tool: "tool 1.10.0", user: "1000" } : { tool: "Not Found", user: "0" };
      const none = { python: "Not Found", node: "Not Found", git: "Not Found" };
      assert.deepEqual(seen.env_probe, { ...none, ...own, "tool-or-none": image === other ? "tool 1.10.0" : "none" });
    }
    const log = await project.readText("out/experiment.log");
    assert.equal(log.match(/\[versions\] /g)?.length, 2);
    const { drift } = await project.readJson("out/run.json", runFile);
    assert.deepEqual(
      drift.map(({ field, benign }) => [field, benign]),
      [
        ["env_probe.tool-or-none", true],
        ["env_probe.user", true],
      ],
    );
  } finally {
    await removeImage(engine, other);
  }
});
