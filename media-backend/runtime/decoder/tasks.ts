import { z } from 'zod'
import { FAILURE_NAMES } from '../../../shared/failures/failures.ts'
import type { ImageStep, LayerStep, OverlayAction } from '../../../shared/planning/steps.ts'
import { FailureReport } from '../../../shared/protocol/job-report.ts'

/** What a decoder process does with the files of a job (media-backend/decoder/tasks.ts). */
export interface TaskInputs {
  /** Measures an image (imageFacts). */
  facts: { file: string }
  header: { file: string }
  /** Reads the header of a HEIC file, and writes its color profile to a file. */
  heic_header: { file: string; profile_file: string }
  /** Decodes pages of an image to find out whether they are whole. */
  decode_pages: { file: string; pages: number[] }
  /** Checks whether all pixels of an image are equal. */
  is_blank: { file: string }
  make_png: { input: string; output: string }
  draw: ImageStep
  layer: LayerStep
}
export type TaskName = keyof TaskInputs

const Word = z.string().max(40)
const Side = z.int().min(1)
const Size = { width: Side, height: Side }
const Chromaticity = z.number()

export const Header = z.strictObject({
  ...Size,
  format: Word,
  compression: Word.optional(),
  depth: Word,
  pages: z.int().min(1).optional(),
  orientation: z.int().min(0).max(65_535).optional(),
  /** Size of one frame, turned upright. */
  shown: z.strictObject(Size),
  /** Display time of each frame of an animation, in milliseconds. */
  delay: z.array(z.number()),
})
export type Header = z.infer<typeof Header>

const Facts = z.strictObject({
  ...Size,
  format: Word,
  pages: z.int().min(1),
  unread_pages: z.int().min(1).optional(),
  has_alpha: z.boolean(),
  few_colors: z.literal(true).optional(),
  bits_per_channel: z.literal([8, 16]).optional(),
  color: z
    .strictObject({
      primaries: z.int(),
      transfer: z.int(),
      gamma: z.number().optional(),
      chromaticities: z
        .tuple([
          ...([Chromaticity, Chromaticity, Chromaticity, Chromaticity] as const),
          ...([Chromaticity, Chromaticity, Chromaticity, Chromaticity] as const),
        ])
        .readonly()
        .optional(),
    })
    .optional(),
})

const Measure = z.strictObject({
  ...Size,
  quality: z.number().optional(),
  lossless: z.literal(true).optional(),
  input_kept: z.literal(true).optional(),
  larger_than_input: z.literal(true).optional(),
})

/** A defect in a decoder may make its process answer anything, so every answer is checked. */
export const ANSWERS = {
  facts: Facts,
  header: Header,
  heic_header: z.strictObject({ ...Size, has_profile: z.boolean() }),
  decode_pages: z.null(),
  is_blank: z.boolean(),
  make_png: z.null(),
  draw: Measure,
  layer: z.null(),
} as const satisfies Record<TaskName, z.ZodType>
export type TaskOutput<Name extends TaskName> = z.infer<(typeof ANSWERS)[Name]>

export const Answer = z.union([
  z.strictObject({ id: z.string(), done: z.unknown() }),
  z.strictObject({ id: z.string(), failed: FailureReport.extend({ name: z.enum(FAILURE_NAMES) }) }),
  z.strictObject({ id: z.string(), error: z.string() }),
])
export type Answer = z.infer<typeof Answer>

interface TaskFiles {
  reads: string[]
  /** Files that are moved to the folder of the job if the process has written them. */
  writes: string[]
}

/** Lists the files of a task. The process sees no others. */
export const TASK_FILES: { [Name in TaskName]: (input: TaskInputs[Name]) => TaskFiles } = {
  facts: ({ file }) => ({ reads: [file], writes: [] }),
  header: ({ file }) => ({ reads: [file], writes: [] }),
  heic_header: ({ file, profile_file }) => ({ reads: [file], writes: [profile_file] }),
  decode_pages: ({ file }) => ({ reads: [file], writes: [] }),
  is_blank: ({ file }) => ({ reads: [file], writes: [] }),
  make_png: ({ input, output }) => ({ reads: [input], writes: [output] }),
  draw: ({ input, decoded_from = input, actions, output }) => ({
    reads: [...new Set([input, decoded_from, ...actions.flatMap(logosOf)])],
    writes: [output.file],
  }),
  layer: ({ overlay, output }) => ({ reads: logosOf(overlay), writes: [output.file] }),
}

function logosOf(action: ImageStep['actions'][number] | OverlayAction): string[] {
  return action.action === 'overlay' && action.content.kind === 'image' ? [action.content.file] : []
}
