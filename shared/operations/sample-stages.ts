import type { Operation } from '../planning/operation.ts'
import type { Stage } from '../planning/pipeline.ts'
import { validateParams } from '../planning/validate.ts'
import { IMAGE_OPERATIONS } from './image/index.ts'

export type StageSpec = [key: string, params?: Record<string, unknown>]

/** Returns a validated pipeline stage, for tests. Throws the refusal if its params are invalid. */
export function stageOf([key, params = {}]: StageSpec): Stage {
  const operation = (IMAGE_OPERATIONS as unknown as readonly Operation[]).find((each) => each.key === key)
  if (operation === undefined) throw new Error(key)
  const checked = validateParams(operation, params)
  if ('refused' in checked) throw new Error(checked.refused.message.en)
  return { operation, params: checked.params }
}
