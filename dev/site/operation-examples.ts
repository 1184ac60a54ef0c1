import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Operation } from '../../shared/planning/operation.ts'
import { addressOf } from '../docs/operation-section.ts'
import { SITE_SOURCES } from './guides.ts'

/** Folder of the committed previews, which `npm run demo -- --all` makes (make-media.ts). */
export const MEDIA = join(SITE_SOURCES, 'media')
export const EXAMPLES_FILE = join(MEDIA, 'examples.json')

/** A file before or after an operation. */
export const Figure = z.object({
  /** Name of the preview in the folder of the media; null if only its text is shown. */
  file: z.string().nullable(),
  kind: z.enum(['image', 'video', 'text']),
  width: z.int(),
  height: z.int(),
  text: z.string().nullable(),
  caption: z.string(),
})
export type Figure = z.infer<typeof Figure>

export const Example = z.object({
  params: z.record(z.string(), z.unknown()),
  before: Figure.nullable(),
  after: Figure.nullable(),
  body: z.record(z.string(), z.unknown()),
})
export type Example = z.infer<typeof Example>

let examples: Record<string, Example> | null = null

/** Returns the recorded run of an operation, or null if there is none. */
export function exampleOf(operation: Operation): Example | null {
  examples ??= existsSync(EXAMPLES_FILE)
    ? z.record(z.string(), Example).parse(JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')))
    : {}
  return examples[addressOf(operation)] ?? null
}
