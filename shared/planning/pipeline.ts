import { type Unpacked, unpackAudio } from '../ffmpeg/audio/packed-audio.ts'
import type { ImageEdit, VideoEdit } from '../ffmpeg/edit.ts'
import { refuseFrames } from '../ffmpeg/refuse-frames.ts'
import { planVideoEdits, probeAfter } from '../ffmpeg/render.ts'
import { planImageEdits } from '../images/render.ts'
import type { FactName, Facts, ImageFacts, MediaProbe } from './facts.ts'
import { type EncodeMode, type Operation, type Plan, type PlanRefusal, refuse } from './operation.ts'
import { type FfmpegStep, SOURCE, type Step } from './steps.ts'

/**
 * A stage of a pipeline: the operation of the job, or one of `params.operations`. All stages belong to one service.
 * Consecutive edits run as a single ffmpeg or sharp run. An operation that is not an edit (a thumbnail, a
 * transcript) must come last and works on the output of the edits.
 */
export interface Stage {
  operation: Operation
  /** Validated params, with defaults applied. */
  params: Record<string, unknown>
}

const EDITED = 'edited'

/** Returns the key of a stage's asset in a job, because two stages can each have a logo. */
export function assetKey(stage: number, name: string): string {
  return `${stage}-${name}`
}

/** Returns the facts for one stage, with only its own assets, under their original names. */
function factsOf(stage: number, facts: Facts): Facts {
  const prefix = assetKey(stage, '')
  const own = Object.entries(facts.assets ?? {}).filter(([key]) => key.startsWith(prefix))
  return {
    ...facts,
    assets: Object.fromEntries(own.map(([key, asset]) => [key.slice(prefix.length), asset])),
  }
}

export function planPipeline(stages: readonly [Stage, ...Stage[]], facts: Facts): Plan | PlanRefusal {
  const unpacked = stages[0].operation.service === 'video' && facts.probe ? unpackAudio(facts.probe) : null
  if (unpacked === null) return planStages(stages, facts)
  const plan = planStages(stages, { ...facts, probe: unpacked.probe })
  return 'refused' in plan ? plan : readUnpacked(plan, unpacked)
}

/** Redirects a plan to the unpacked copy of the job's input. */
function readUnpacked(plan: Plan, { steps, file }: Unpacked): Plan {
  const read = (planned: Plan) => planned.steps.map((step) => readFrom(step, file))
  const { never_larger } = plan
  return {
    ...plan,
    steps: [...steps, ...read(plan)],
    ...(never_larger && {
      never_larger: { ...never_larger, copy: { ...never_larger.copy, steps: read(never_larger.copy) } },
    }),
  }
}

function planStages(stages: readonly [Stage, ...Stage[]], facts: Facts): Plan | PlanRefusal {
  const [only] = stages
  if (stages.length === 1) return only.operation.plan({ params: only.params, facts: factsOf(0, facts) })
  const refusal = refuseStages(stages)
  if (refusal !== null) return refusal
  return only.operation.service === 'video' ? planVideo(stages, facts) : planImage(stages, facts)
}

/** Refuses invalid sequences of stages before the input is probed; returns null for valid ones. */
export function refuseStages(stages: readonly Stage[]): PlanRefusal | null {
  const misplaced = stages.slice(0, -1).find((stage) => !isEdit(stage))
  if (misplaced) {
    const { key, edit } = misplaced.operation
    const has_edit = edit !== undefined
    return refuse('operations', {
      en: `${key}${has_edit ? ' with these params' : ''} must be the last operation`,
      uk: `операція ${key}${has_edit ? ' із цими params' : ''} має бути останньою`,
      ru: `операция ${key}${has_edit ? ' с этими params' : ''} должна быть последней`,
    })
  }
  // An operation that only runs other operations does nothing by itself, so callers list those operations instead.
  const inner = stages.slice(1).find(({ operation }) => operation.requiresPipeline === true)
  if (inner) {
    const { key } = inner.operation
    return refuse('operations', {
      en: `${key} only runs other operations, so it must be the first operation. List those operations in its place`,
      uk: `операція ${key} лише запускає інші операції, тому має бути першою. Укажіть ці операції замість неї`,
      ru: `операция ${key} только запускает другие операции, поэтому должна быть первой. Укажите эти операции вместо нее`,
    })
  }
  const late = stages.slice(1).find(({ operation, params }) => !readsOnlySize(operation, params))
  if (late) {
    const { key } = late.operation
    return refuse('operations', {
      en: `${key} analyzes the input, so it must be the first operation`,
      uk: `операція ${key} аналізує вхідний файл, тому має бути першою`,
      ru: `операция ${key} анализирует входной файл, поэтому должна быть первой`,
    })
  }
  return null
}

/** Where a pipeline accepts an operation. */
export interface ChainRole {
  /** True if it accepts the output of another operation. */
  can_follow: boolean
  /** True if another operation accepts its output. */
  can_precede: boolean
}

/** Returns where a pipeline accepts an operation, whatever its parameters. Contract: Catalog, Pipelines. */
export function chainRole(operation: Operation): ChainRole {
  if (operation.requiresPipeline === true) return { can_follow: false, can_precede: false }
  return { can_follow: readsOnlySize(operation), can_precede: operation.edit !== undefined }
}

function isEdit({ operation, params }: Stage): boolean {
  return operation.edit !== undefined && operation.endsPipeline?.(params) !== true
}

/** Facts about copying parts of the input. */
export const FACTS_OF_COPIES: readonly FactName[] = ['lead_seconds', 'cut_packets', 'video_packets']

/**
 * Checks whether edits update every fact that an operation reads. All other facts are measured on the input. Facts that
 * only copies of a part read do not count, because pipelines never copy parts.
 * @param params if given, only the facts that they need count.
 */
export function readsOnlySize(operation: Operation, params?: Record<string, unknown>): boolean {
  const unneededFacts = params === undefined ? [] : (operation.unneededFacts?.(params) ?? [])
  const read = operation.facts.filter((name) => !unneededFacts.includes(name))
  return read.every((name) => ['probe', 'image', 'assets', ...FACTS_OF_COPIES].includes(name))
}

function planVideo(stages: readonly Stage[], facts: Facts): Plan | PlanRefusal {
  const collected = collectEdits<VideoEdit, MediaProbe>(stages, facts.probe, (probe) => ({ ...facts, probe }))
  if ('refused' in collected) return collected
  const { edits, last } = collected
  const [first, ...others] = edits
  if (first === undefined)
    return refuse('operations', {
      en: 'nothing to do. List at least one operation',
      uk: 'немає що виконувати. Укажіть принаймні одну операцію',
      ru: 'нечего выполнять. Укажите хотя бы одну операцию',
    })
  const refusal = refuseFrames([first, ...others], facts.probe)
  if (refusal !== null) return refusal
  const edited = planVideoEdits([first, ...others], facts.probe, { stem: EDITED })
  if (last === null) return edited
  const probe = probeAfter([first, ...others], facts.probe)
  return continueWith(edited, last, { ...factsOf(stages.length - 1, facts), probe })
}

function planImage(stages: readonly Stage[], facts: Facts): Plan | PlanRefusal {
  const collected = collectEdits<ImageEdit, ImageFacts>(stages, facts.image, (image) => ({ ...facts, image }))
  if ('refused' in collected) return collected
  const { edits, after, last } = collected
  const edited = planImageEdits(edits, facts.image, { stem: EDITED })
  if (last === null || 'refused' in edited) return edited
  return continueWith(edited, last, { ...factsOf(stages.length - 1, facts), image: after })
}

interface Collected<Edit, Fact> {
  edits: Edit[]
  after: Fact
  /** The final stage, if it is not an edit. */
  last: Stage | null
}

function collectEdits<Edit extends { after: Fact }, Fact>(
  stages: readonly Stage[],
  before: Fact,
  factsWith: (fact: Fact) => Facts,
): Collected<Edit, Fact> | PlanRefusal {
  const edits: Edit[] = []
  let after = before
  for (const [index, stage] of stages.entries()) {
    if (stage.operation.edit === undefined || !isEdit(stage)) return { edits, after, last: stage }
    const edit = stage.operation.edit({ params: stage.params, facts: factsOf(index, factsWith(after)) })
    if ('refused' in edit) return edit
    edits.push(edit as unknown as Edit)
    after = (edit as unknown as Edit).after
  }
  return { edits, after, last: null }
}

/** Redirects an operation from the job's input to the output of the edits. */
function continueWith(edited: Plan, { operation, params }: Stage, facts: Facts): Plan | PlanRefusal {
  const plan = operation.plan({ params, facts })
  if ('refused' in plan) return plan
  const [{ file }] = edited.outputs
  return {
    ...plan,
    encode_mode: operation.edit === undefined ? modeOfBoth(edited, plan) : edited.encode_mode,
    steps: [...edited.steps, ...plan.steps.map((step) => readFrom(step, file))],
    passes: [...(edited.passes ?? []), ...(plan.passes ?? [])],
    body: { ...edited.body, ...plan.body },
  }
}

/** Returns the combined encode mode. A copy of audio that the edits encoded counts as encoded. */
function modeOfBoth(edited: Plan, { encode_mode }: Plan): EncodeMode | null {
  const encodes_audio = edited.encode_mode === 'encode' || edited.encode_mode === 'video_copy'
  return encode_mode === 'remux' && encodes_audio ? 'encode' : encode_mode
}

function readFrom(step: Step, file: string): Step {
  if (step.kind === 'image') return step.input === SOURCE ? { ...step, input: file } : step
  return step.kind === 'ffmpeg' ? withInput(step, file) : step
}

function withInput<
  Inputs extends Pick<FfmpegStep, 'inputs'> & Partial<Pick<FfmpegStep, 'fallback' | 'rate_search'>>,
>(step_inputs: Inputs, file: string): Inputs {
  const { inputs, fallback, rate_search } = step_inputs
  return {
    ...step_inputs,
    inputs: inputs.map((input) => (input.file === SOURCE ? { ...input, file } : input)),
    ...(fallback && { fallback: withInput(fallback, file) }),
    ...(rate_search && { rate_search: withInput(rate_search, file) }),
  }
}
