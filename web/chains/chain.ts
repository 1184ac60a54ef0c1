import type { TemplateSave } from '../../client/src/index.ts'
import { findFaults } from '../studio/form/find-faults.ts'
import { formFields } from '../studio/form/form-fields.ts'
import { commonParams } from '../studio/form/presets.ts'
import { sentParams } from '../studio/form/sent-params.ts'
import { findTool, nameOf, type Tool } from '../studio/tools.ts'
import type { Operation } from '../studio/workspace/items.ts'

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

/** Makes a step with the most common settings of a tool. */
export function makeCommonStep(tool: Tool): ChainStep {
  return makeStep(tool, commonParams(tool))
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

/** Why a chain cannot start with a step as it is. */
export type StepFault = 'unavailable' | 'must_be_first' | 'must_be_last' | 'invalid' | null

/** Returns for each step what is wrong with it: its tool, its place, or its settings. */
export function findStepFaults(chain: Chain, tools: readonly Tool[]): StepFault[] {
  return chain.map((step, index) => {
    const tool = findTool(tools, nameOf(step))
    if (tool === null) return 'unavailable'
    const { can_follow, can_precede } = tool.config.chain
    if (index > 0 && !can_follow) return 'must_be_first'
    if (index < chain.length - 1 && !can_precede) return 'must_be_last'
    return Object.keys(findFaults(formFields(tool), step.params)).length > 0 ? 'invalid' : null
  })
}

/** Returns a chain with only the parameters that have an effect. */
export function sentChain(chain: Chain, tools: readonly Tool[]): Chain {
  return chain.map((step) => {
    const tool = findTool(tools, nameOf(step))
    return tool === null ? step : { ...step, params: sentParams(formFields(tool), step.params) }
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
