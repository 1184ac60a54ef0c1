import { findOperation } from '../../../shared/operations/index.ts'
import type { Operation } from '../../../shared/operations/operation.ts'
import { assetKey, type Stage } from '../../../shared/operations/pipeline.ts'
import type { Dispatch, Source } from '../../../shared/protocol/dispatch.ts'
import type { Deps } from '../../deps.ts'
import type { Caller } from '../../rules/caller.ts'
import { assetsOf, readStages } from '../../rules/pipeline.ts'
import { ApiError } from '../api-error.ts'
import { findLiveOperation, listLiveOperations } from '../catalogue/tools.ts'
import { findFile, findLink } from './input.ts'

/** What a client asks for. */
export interface Submission {
  service_slug: string
  operation_key: string
  params: Record<string, unknown>
  /** Where the end of the job is told. */
  webhook_url?: string | null | undefined
}

/** What a job is to do, checked: the part of its dispatch that follows from the submission alone. */
export type Order = Pick<
  Dispatch,
  'service_slug' | 'operation_key' | 'params' | 'pipeline' | 'source' | 'filename' | 'assets'
>

const PARAMS_BYTES_MAX = 64 * 1024
/** A queue's message holds 128 KB; what a dispatch says besides its order is short. */
const ORDER_BYTES_MAX = 120_000

/**
 * Checks a submission and finds its files. Throws 404 for an unknown service; 400 for an unknown or
 * switched-off operation, a refused parameter and an invalid file URL. Nothing is charged by then.
 */
export async function readOrder(deps: Deps, caller: Caller, submission: Submission): Promise<Order> {
  const { operation, stages } = await checkOrder(deps, submission)
  const [{ params }, ...following] = stages
  const [found, assets] = await Promise.all([
    findMainFile(deps, caller, operation, submission.params),
    findAssets(deps, caller, stages),
  ])
  const order = {
    service_slug: operation.service,
    operation_key: operation.key,
    params,
    pipeline: following.map((stage) => ({ operation_key: stage.operation.key, params: stage.params })),
    assets,
    ...found,
  }
  // Addresses are in it as they were understood: each letter of another script takes six there.
  requireBytes(order, ORDER_BYTES_MAX, 'the addresses in it are too long for one job')
  return order
}

/** Throws 400. */
function requireBytes(content: object, bytes_max: number, reason: string): void {
  if (new TextEncoder().encode(JSON.stringify(content)).length <= bytes_max) return
  throw new ApiError(400, `params: ${reason}`)
}

/** Checks all of a submission but its files. Throws as readOrder does. */
export async function checkOrder(deps: Deps, { service_slug, operation_key, params }: Submission) {
  const { operation } = await findLiveOperation(deps, service_slug, operation_key)
  return { operation, stages: await checkStages(deps, operation, params) }
}

async function checkStages(deps: Deps, operation: Operation, params: Record<string, unknown>) {
  requireBytes(params, PARAMS_BYTES_MAX, `larger than ${PARAMS_BYTES_MAX / 1024} KB`)
  const live = await listLiveOperations(deps)
  const find = (key: string) => {
    const named = findOperation(operation.service, key)
    return named !== undefined && live.has(named) && !named.accepts.includes('link') ? named : undefined
  }
  const checked = readStages(operation, params, find)
  if ('stages' in checked) return checked.stages
  throw new ApiError(400, `${checked.refused.message}. Nothing was done: any charge was refunded in full`)
}

async function findMainFile(
  deps: Deps,
  caller: Caller,
  operation: Operation,
  params: Record<string, unknown>,
) {
  const { accepts } = operation
  const taker = `${operation.service}/${operation.key}`
  if (accepts.includes('link')) return findLink(deps, { field: 'url', address: params.url, taker, accepts })
  return findFile(deps, caller, { field: 'file_url', address: params.file_url, taker, accepts })
}

async function findAssets(
  deps: Deps,
  caller: Caller,
  stages: readonly Stage[],
): Promise<Record<string, Source>> {
  const wanted = stages.flatMap((stage, index) => assetsOf(stage).map((asset) => ({ asset, stage, index })))
  const found = await Promise.all(
    wanted.map(async ({ asset, stage: { operation }, index }) => {
      const taker = `${operation.service}/${operation.key}`
      const file = { field: asset.name, address: asset.url, taker, accepts: [asset.kind] }
      return [assetKey(index, asset.name), (await findFile(deps, caller, file)).source] as const
    }),
  )
  return Object.fromEntries(found)
}
