import { z } from 'zod'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'

const Parameters = z
  .object({
    strip_metadata: z
      .boolean()
      .optional()
      .describe(
        'Keeps only what shows the image (pixels, all frames and pages, orientation, color profile, pixel density) and removes the rest: EXIF, XMP, IPTC, comments, previews, depth maps, motion videos, bytes after the end. In JPEG the gain map for HDR displays goes, too. Omitted, true unless metadata_mode is merge',
      ),
    strip_gps: z
      .boolean()
      .default(false)
      .describe(
        'Removes the location: GPS, and the names of places in EXIF, XMP, IPTC, PNG text and notes of the maker. The video of a motion photo stays, without its metadata',
      ),
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
 * Removes metadata (Contract: Image operations). Pixels, color profile and orientation stay as they are: the coded
 * pixels are copied bit by bit.
 */
export const strip_meta = defineImageEdit({
  key: 'strip_meta',
  stem: 'stripped',
  title: 'Remove metadata',
  description: 'Removes all metadata, or only the location, without loss of quality.',
  credits: 1,
  family: 'strip_metadata',
  facts: ['image'],
  parameters: Parameters,
  presets: [
    { label: 'Everything', params: { strip_metadata: true } },
    { label: 'Only the place', params: { metadata_mode: 'merge', strip_gps: true } },
  ],
  edit({ params, facts: { image } }) {
    return imageEdit(image, { metadata: { strip: stripsAll(params) ? 'all' : ['place'], tags: {} } })
  },
})

function stripsAll(params: { strip_metadata?: boolean; metadata_mode: 'set' | 'merge' }): boolean {
  return params.strip_metadata ?? params.metadata_mode === 'set'
}
