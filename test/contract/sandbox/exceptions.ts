/** Cases that a kind of sandbox does not keep, each with its reason. Strict: one that begins to pass fails the test. */
export const exceptions: readonly { readonly kinds: readonly string[]; readonly name: string; readonly reason: string }[] = [];
