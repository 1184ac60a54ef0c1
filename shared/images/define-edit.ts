import type { z } from 'zod'
import type { ImageEdit } from '../ffmpeg/edit.ts'
import type { FactName } from '../planning/facts.ts'
import { defineOperation, type Operation, type PlanInput, type PlanRefusal } from '../planning/operation.ts'
import { ImageBody } from '../planning/result-body.ts'
import { planImageEdits } from './render.ts'

type ImageEditDefinition<Parameters extends z.ZodObject, Needed extends FactName> = Omit<
  Operation<Parameters, Needed>,
  'service' | 'accepts' | 'plan' | 'edit' | 'result_body'
> & {
  /** Default: the measurements of an image. */
  result_body?: z.ZodObject
  /** Stem of the output file name in the job folder, such as "resized". */
  stem: string
  edit(input: PlanInput<Parameters, Needed | 'image'>): ImageEdit | PlanRefusal
}

/** Defines an image operation as an edit. On its own, it is a pipeline of one. Its facts must include `image`. */
export function defineImageEdit<Parameters extends z.ZodObject, Needed extends FactName>({
  stem,
  ...definition
}: ImageEditDefinition<Parameters, Needed | 'image'>): Operation<Parameters, Needed | 'image'> {
  return defineOperation<Parameters, Needed | 'image'>({
    result_body: ImageBody,
    ...definition,
    service: 'image',
    accepts: ['image'],
    plan(input) {
      const edit = definition.edit(input)
      if ('refused' in edit) return edit
      return planImageEdits([edit], input.facts.image, { stem })
    },
  })
}
