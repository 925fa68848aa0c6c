import { z } from "zod";
import type { TaskStamp } from "../../plan/stamp/task-stamp.ts";
import { isAsIs, unchangedIf } from "../as-is.ts";
import { rowKeyText } from "../layout.ts";
import { fittingOrNull, isObject, numberOr, textOr, textOrNull } from "../tolerant.ts";
import { type Fingerprint, type FingerprintRow, type FolderFiles, type MadeIn, type OwnFingerprint, ownKey } from "./fingerprint.ts";

/** An object all of whose values fit. Not `z.record`, which drops a key called `__proto__`. */
const recordOf = <Item extends z.ZodType>(item: Item) =>
  unchangedIf(
    z.transform((value: unknown, context): Readonly<Record<string, z.output<Item>>> => {
      const entries: [string, z.output<Item>][] = [];
      for (const [key, part] of Object.entries(isObject(value) ? value : {})) {
        const read = item.safeParse(part);
        if (read.success) entries.push([key, read.data]);
      }
      if (isObject(value) && entries.length === Object.keys(value).length) return Object.fromEntries(entries);
      context.issues.push({ code: "custom", message: "expected an object of such values", input: value });
      return z.NEVER;
    }),
    (value) => isObject(value) && Object.values(value).every((part) => isAsIs(item, part)),
  );

/** A list in which what does not fit is null: others point at places in it. */
const placesOf = <Item extends z.ZodType>(item: Item) => z.array(fittingOrNull(item)).catch([]);

const texts = recordOf(z.string());
const settingSchema = z.object({ value: z.unknown(), source: textOr("unknown"), detail: textOrNull });
const profileSchema = recordOf(settingSchema);
const madeInSchema = z.object({ version: numberOr(0), environment: texts.catch({}) });
const stampSchema = z.object({ digest: z.string(), settings: z.number(), content: texts });
const rowSchema = z.object({
  variant_id: z.string(),
  task_id: z.string(),
  replicates: z.array(z.number().int().min(0)),
  stamp: z.number(),
  earlier: z.number().optional(),
});
const folderSchema = z.object({ folder: z.string(), digest: z.string(), files: texts });

const ownSchema = z.object({
  version: numberOr(0),
  environment: texts.catch({}),
  earlier: placesOf(madeInSchema),
  settings: placesOf(profileSchema),
  stamps: placesOf(stampSchema),
  rows: placesOf(rowSchema),
  folders: placesOf(folderSchema),
});

/** What a parsed `resume_fingerprint.json` of any version says. What is damaged of our part is left out, the rest stands. */
export function fingerprintOf(file: Readonly<Record<string, unknown>>): Fingerprint {
  const run = Object.fromEntries(Object.entries(file).filter(([key]) => key !== ownKey));
  const part = Object.hasOwn(file, ownKey) ? file[ownKey] : undefined;
  const read = isObject(part) ? ownSchema.safeParse(part) : undefined;
  return { run, own: read?.success ? ownOf(read.data) : undefined };
}

function ownOf(file: z.infer<typeof ownSchema>): OwnFingerprint {
  const madeIn: MadeIn = { version: file.version, environment: file.environment };
  const stamps = file.stamps.map((stamp): TaskStamp | undefined => {
    const settings = stamp === null ? undefined : file.settings[stamp.settings];
    // Half a stamp would look like one that has nothing to tell.
    return stamp && settings ? { digest: stamp.digest, settings, content: stamp.content } : undefined;
  });
  const rows = new Map<string, FingerprintRow>();
  for (const row of file.rows) {
    const stamp = row === null ? undefined : stamps[row.stamp];
    const made = row?.earlier === undefined ? madeIn : file.earlier[row.earlier];
    if (row === null || !stamp || !made) continue;
    for (const replicateIndex of row.replicates) {
      const key = rowKeyText(row.variant_id, row.task_id, replicateIndex);
      rows.set(key, { variantId: row.variant_id, taskId: row.task_id, replicateIndex, stamp, madeIn: made });
    }
  }
  return { madeIn, rows, folders: file.folders.filter((folder): folder is FolderFiles => folder !== null) };
}
