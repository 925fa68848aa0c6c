import assert from "node:assert/strict";
import test from "node:test";
import { resolveUser } from "../../../../src/sandbox/docker/users.ts";

const passwd = "root:x:0:0:root:/root:/bin/sh\r\nagent:x:1001:1002::/home/agent:/bin/sh\nbroken\n4711:x:50:60::/odd:\n";
const group = "root:x:0:\nstaff:x:50:agent\n";

const table: readonly [spec: string, uid: number, gid: number, home: string | undefined][] = [
  ["", 0, 0, "/root"],
  ["root", 0, 0, "/root"],
  ["agent", 1001, 1002, "/home/agent"],
  ["1001", 1001, 1002, "/home/agent"],
  ["65532", 65532, 0, undefined],
  ["65532:65533", 65532, 65533, undefined],
  ["agent:staff", 1001, 50, "/home/agent"],
  ["1001:0", 1001, 0, "/home/agent"],
];

for (const [spec, uid, gid, home] of table) {
  test(`USER '${spec}' is user ${uid} of group ${gid}`, () => assert.deepEqual(resolveUser(spec, passwd, group), { uid, gid, home }));
}

test("a name without a line is nobody", () => {
  assert.equal(resolveUser("ghost", passwd, group), undefined);
  assert.equal(resolveUser("agent:ghosts", passwd, group), undefined);
  assert.deepEqual(resolveUser("", "", ""), { uid: 0, gid: 0, home: undefined });
});
