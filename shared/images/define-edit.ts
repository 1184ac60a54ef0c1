import type { z } from 'zod'
import type { ImageEdit } from '../ffmpeg/edit.ts'
import type { FactName } from '../planning/facts.ts'
import { defineOperation, type Operation, type PlanInput, type PlanRefusal } from '../planning/operation.ts'
import { planImageEdits } from './render.ts'

type ImageEditDefinition<Parameters extends z.ZodObject, Needed extends FactName> = Omit<
  Operation<Parameters, Needed>,
  'service' | 'accepts' | 'plan' | 'edit'
> & {
  /** Stem of the output file's name in the job's folder: "resized". */
  stem: string
  edit(input: PlanInput<Parameters, Needed | 'image'>): ImageEdit | PlanRefusal
}

/** An image operation, as an edit: alone it is a pipeline of one. Its facts must hold the image. */
export function defineImageEdit<Parameters extends z.ZodObject, Needed extends FactName>({
  stem,
  ...definition
}: ImageEditDefinition<Parameters, Needed | 'image'>): Operation<Parameters, Needed | 'image'> {
  return defineOperation<Parameters, Needed | 'image'>({
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
