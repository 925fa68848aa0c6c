import { hostileCriteria } from "./hostile-criteria.ts";
import type { HostileText } from "./hostile-pieces.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { hostileVolumes } from "./hostile-volumes.ts";

export const hostileCases: readonly HostileText[] = [...hostileTexts, ...hostileVolumes, ...hostileCriteria];
