import assert from "node:assert/strict";
import test from "node:test";
import { formatPrice } from "./price.mjs";

test("cents are always two digits", () => {
  assert.equal(formatPrice(1205), "$12.05");
  assert.equal(formatPrice(7), "$0.07");
});
