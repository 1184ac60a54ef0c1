import type { z } from 'zod'
import type { FactName } from '../planning/facts.ts'
import {
  defineOperation,
  type Operation,
  type Plan,
  type PlanInput,
  type PlanRefusal,
} from '../planning/operation.ts'
import { VideoBody } from '../planning/result-body.ts'
import type { VideoEdit } from './edit.ts'
import { refuseFrames } from './refuse-frames.ts'
import { planVideoEdits } from './render.ts'

type VideoEditDefinition<Parameters extends z.ZodObject, Needed extends FactName> = Omit<
  Operation<Parameters, Needed>,
  'service' | 'accepts' | 'plan' | 'edit' | 'result_body'
> & {
  /** Default: the measurements of a video. */
  result_body?: z.ZodObject
  /** Stem of the output file name in the job folder, such as "rotated". */
  stem: string
  edit(input: PlanInput<Parameters, Needed | 'probe'>): VideoEdit | PlanRefusal
  /** Returns a plan that copies frames, or `full`, which encodes all of them. Pipelines never copy. */
  copy?(input: PlanInput<Parameters, Needed | 'probe'>, edit: VideoEdit, full: Plan): Plan
}

/** Defines a video operation as an edit. On its own, it is a pipeline of one. Its facts must include `probe`. */
export function defineVideoEdit<Parameters extends z.ZodObject, Needed extends FactName>({
  stem,
  copy,
  ...definition
}: VideoEditDefinition<Parameters, Needed | 'probe'>): Operation<Parameters, Needed | 'probe'> {
  return defineOperation<Parameters, Needed | 'probe'>({
    result_body: VideoBody,
    ...definition,
    service: 'video',
    accepts: ['video'],
    plan(input) {
      const edit = definition.edit(input)
      if ('refused' in edit) return edit
      const { probe } = input.facts
      const refusal = refuseFrames([edit], probe)
      if (refusal !== null) return refusal
      const full = planVideoEdits([edit], probe, { stem })
      return copy?.(input, edit, full) ?? full
    },
  })
}
