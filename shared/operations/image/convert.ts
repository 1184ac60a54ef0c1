import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { SOURCE } from '../steps.ts'
import { imageFile, refuseSize } from './formats.ts'

const BYTES_PER_KB = 1024

/** Images, to another format (specification: Image service). Written anew even in the same format. */
export const convert = defineOperation({
  service: 'image',
  key: 'convert',
  title: 'Convert image',
  description: 'Changes the format: WebP, AVIF, JPEG or PNG, to a size in kilobytes if you like.',
  credits: 1,
  accepts: ['image'],
  family: 'convert',
  facts: ['image'],
  parameters: z.object({
    format: z.enum(['webp', 'avif', 'jpeg', 'png']).default('webp').describe('Format of the result'),
    quality: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe(
        "Quality; omitted, the format's own default. A PNG gets a palette of as many colours as it takes",
      ),
    max_kb: z
      .int()
      .min(1)
      .max(1_048_576)
      .optional()
      .describe(
        'The result is at most this many kilobytes (of 1024 bytes); quality is the most that is tried',
      ),
  }),
  presets: [
    { label: 'WebP for the web', params: { format: 'webp', quality: 80 } },
    { label: 'AVIF: the smallest', params: { format: 'avif', quality: 50 } },
    { label: 'JPEG under 1 MB', params: { format: 'jpeg', max_kb: 1024 } },
    { label: 'PNG without loss', params: { format: 'png' } },
  ],
  plan({ params, facts: { image } }) {
    const refusal = refuseSize('format', params.format, image)
    if (refusal !== null) return refusal
    const file = imageFile('converted', params.format)
    return {
      encode_mode: null,
      steps: [
        {
          kind: 'image',
          input: SOURCE,
          actions: [],
          output: {
            file,
            format: params.format,
            quality: params.quality ?? null,
            max_bytes: params.max_kb === undefined ? null : params.max_kb * BYTES_PER_KB,
          },
        },
      ],
      outputs: [{ file }],
    }
  },
})
