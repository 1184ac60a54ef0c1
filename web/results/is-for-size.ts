import { findTool, namesIn, type Tool } from '../studio/tools.ts'
import type { Operation } from '../studio/workspace/items.ts'

/** Group of the operations that make files smaller. Others change the size by what they remove or add. */
const SIZE_GROUP = 'compress'

/** Checks whether every operation of a job has the purpose to change the size of the file. */
export function isForSize(tools: readonly Tool[], operation: Operation): boolean {
  return namesIn(operation).every((name) => findTool(tools, name)?.config.group.key === SIZE_GROUP)
}
