/**
 * Keeps tasks with any of the `include` tags, then drops those with any of the `exclude` tags; an empty list is no
 * filter; tags are compared whole, the order stays (formats.md 8.8).
 */
export function filterByTags<Task extends { readonly tags: readonly string[] }>(
  tasks: readonly Task[],
  include: readonly string[],
  exclude: readonly string[],
): Task[] {
  return tasks.filter(({ tags }) => {
    if (include.length > 0 && !include.some((tag) => tags.includes(tag))) return false;
    return !exclude.some((tag) => tags.includes(tag));
  });
}
