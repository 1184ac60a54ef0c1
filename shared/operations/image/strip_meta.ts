import { z } from 'zod'
import { imageEdit } from '../edit.ts'
import { defineImageEdit } from './define-edit.ts'

const Parameters = z
  .object({
    strip_metadata: z
      .boolean()
      .optional()
      .describe('Removes all of it: EXIF, XMP, IPTC, comments. Omitted, true unless metadata_mode is merge'),
    strip_gps: z.boolean().default(false).describe('Removes the place where the picture was taken'),
    metadata_mode: z
      .enum(['set', 'merge'])
      .default('set')
      .describe('merge keeps what is not removed: with strip_gps true, only the place goes'),
  })
  .refine((params) => stripsAll(params) || params.strip_gps, {
    path: ['strip_gps'],
    error: 'there is nothing to remove; give strip_metadata or strip_gps',
  })

/**
 * Images, without metadata (specification: Image service). The pixels, the colour profile and the
 * orientation that a viewer needs stay as they are: nothing is written anew.
 */
export const strip_meta = defineImageEdit({
  key: 'strip_meta',
  stem: 'stripped',
  title: 'Remove metadata',
  description: 'Removes EXIF, place, camera and comments, or the place alone, without loss of quality.',
  credits: 1,
  family: 'strip_metadata',
  facts: ['image'],
  parameters: Parameters,
  presets: [
    { label: 'Everything', params: { strip_metadata: true } },
    { label: 'Only the place', params: { metadata_mode: 'merge', strip_gps: true } },
  ],
  edit({ params, facts: { image } }) {
    return imageEdit(image, { metadata: { strip: stripsAll(params) ? 'all' : 'gps', tags: {} } })
  },
})

function stripsAll(params: { strip_metadata?: boolean; metadata_mode: 'set' | 'merge' }): boolean {
  return params.strip_metadata ?? params.metadata_mode === 'set'
}
