import { z } from 'zod'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'
import { packTexts } from '../../text/texts.ts'

const Parameters = z
  .object({
    strip_metadata: z
      .boolean()
      .optional()
      .describe(
        'Removes all metadata that is not needed to display the image. Pixels, all frames and pages, orientation, color profile and pixel density are kept. EXIF, XMP, IPTC, comments, previews, depth maps, motion videos and trailing bytes are removed; in JPEG also the HDR gain map. Default: true, unless metadata_mode is merge',
      ),
    strip_gps: z
      .boolean()
      .default(false)
      .describe(
        'Removes the location. This covers GPS coordinates, and place names in EXIF, XMP, IPTC, PNG text and maker notes. Maker notes that contain a place name are removed entirely. Contact addresses of the creator and licensor are kept. The video of a motion photo is kept without its metadata',
      ),
    metadata_mode: z
      .enum(['set', 'merge'])
      .default('set')
      .describe('Treatment of other metadata. With merge and strip_gps true, only the location is removed'),
  })
  .refine((params) => stripsAll(params) || params.strip_gps, {
    path: ['strip_gps'],
    error: packTexts({
      en: 'nothing to remove. Set strip_metadata or strip_gps',
      uk: 'немає що вилучати. Укажіть strip_metadata або strip_gps',
      ru: 'нечего удалять. Укажите strip_metadata или strip_gps',
    }),
  })

/**
 * Removes metadata (Contract: Image operations). Copies the encoded pixels bit for bit, and keeps the color profile
 * and orientation.
 */
export const strip_meta = defineImageEdit({
  key: 'strip_meta',
  stem: 'stripped',
  title: 'Remove metadata',
  description: 'Removes all metadata, or only the location, without quality loss.',
  credits: 1,
  family: 'strip_metadata',
  facts: ['image'],
  parameters: Parameters,
  presets: [
    { label: 'All metadata', params: { strip_metadata: true } },
    { label: 'Location only', params: { metadata_mode: 'merge', strip_gps: true } },
  ],
  edit({ params, facts: { image } }) {
    return imageEdit(image, { metadata: { strip: stripsAll(params) ? 'all' : ['place'], tags: {} } })
  },
})

function stripsAll(params: { strip_metadata?: boolean; metadata_mode: 'set' | 'merge' }): boolean {
  return params.strip_metadata ?? params.metadata_mode === 'set'
}
