import type { TemplateSave } from '../../client/src/index.ts'
import { nameOf, type Tool } from '../studio/tools.ts'
import type { Operation } from '../studio/work/items.ts'

/** Operations that run one after another in a single job. The API calls this a pipeline. */
export interface ChainStep {
  /** Identifies the step while it is moved. */
  id: string
  service_slug: string
  operation_key: string
  params: Record<string, unknown>
}
export type Chain = readonly ChainStep[]

/** Operations of a job, as the API accepts them. */
const STEPS_MAX = 21

export function makeStep(
  { service_slug, operation_key }: Tool,
  params: Record<string, unknown> = {},
): ChainStep {
  return { id: crypto.randomUUID(), service_slug, operation_key, params }
}

/** Moves a step to another place. */
export function moveStep(chain: Chain, from: number, to: number): Chain {
  const step = chain[from]
  if (step === undefined || to < 0 || to >= chain.length) return chain
  const rest = chain.filter((_, index) => index !== from)
  return [...rest.slice(0, to), step, ...rest.slice(to)]
}

/** Returns the tools that can be added at the end of a chain. */
export function toolsToAdd(tools: readonly Tool[], chain: Chain): Tool[] {
  const [first] = chain
  if (chain.length >= STEPS_MAX) return []
  return tools.filter(({ enabled, service_slug, accepts, config: { chain: role } }) => {
    const can_start = role.can_follow || role.can_precede
    if (!enabled || accepts.includes('link') || !can_start) return false
    return first === undefined || service_slug === first.service_slug
  })
}

/** What is wrong with the place of a step. */
export type Misplacement = 'must_be_first' | 'must_be_last' | null

/** Returns for each step whether it can stay at its place. */
export function findMisplaced(chain: Chain, tools: readonly Tool[]): Misplacement[] {
  return chain.map((step, index) => {
    const role = tools.find((tool) => nameOf(tool) === nameOf(step))?.config.chain
    if (role === undefined) return null
    if (index > 0 && !role.can_follow) return 'must_be_first'
    return index < chain.length - 1 && !role.can_precede ? 'must_be_last' : null
  })
}

/** Returns the job that a chain runs, or null for an empty chain. */
export function operationOf(chain: Chain): Operation | null {
  const [first, ...others] = chain
  if (first === undefined) return null
  const { service_slug, operation_key, params } = first
  if (others.length === 0) return { service_slug, operation_key, params }
  const operations = others.map((step) => ({ operation_key: step.operation_key, params: step.params }))
  return { service_slug, operation_key, params: { ...params, operations } }
}

/** Returns the request that saves a chain as a template. */
export function templateOf(chain: Chain, description: string | null): TemplateSave {
  const operations = chain.map(({ operation_key, params }) => ({ operation_key, params }))
  return { service_slug: chain[0]?.service_slug, operations, description } as TemplateSave
}

/** Returns the chain that a template holds. */
export function chainOf(template: Pick<TemplateSave, 'service_slug' | 'operations'>): Chain {
  return template.operations.map(({ operation_key, params }) => ({
    id: crypto.randomUUID(),
    service_slug: template.service_slug,
    operation_key,
    params: { ...params },
  }))
}

/** Suggests the name of a template: lowercase letters, digits and hyphens. */
export function templateName(title: string): string {
  const plain = title.toLowerCase().replace(/[^a-z0-9_-]+/g, '-')
  return plain.replace(/^[-_]+|-+$/g, '').slice(0, 64)
}
