import { checkGolden } from "../contract/golden/check-golden.ts";
import { busyboxDifferences, commonDifferences } from "../contract/golden/criteria-differences.ts";
import { dockerTest, openDriver } from "./engine.ts";

dockerTest(
  "in a container every criterion scores, passes and explains as in coder_eval 0.8.2, but for the listed differences",
  async (_engine, t) => {
    await using driver = await openDriver();
    await using sandbox = await driver.start();
    await checkGolden(t, sandbox, { ...commonDifferences, ...busyboxDifferences });
  },
);
