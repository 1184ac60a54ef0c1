import { join } from 'node:path'
import type { Media } from '../../client/node/index.ts'
import { ROOT } from '../system/root.ts'

const PHOTO = join(ROOT, 'docs/site/media/sample-photo-plain.webp')

/** Addresses that stand for the pages of a path with `*`, or for a path whose page needs a secret. */
export type PageExamples = Record<string, string[]>

/** What visitors can open. */
export const VISITOR_EXAMPLES: PageExamples = {
  '/studio/*/*': [
    '/studio/video/trim',
    '/studio/image/crop',
    '/studio/image/circle',
    '/studio/video/subtitles',
  ],
  '/unsubscribe/*/*': ['/unsubscribe/nobody/jobs'],
  '/account/*': [],
  '/jobs/*': ['/jobs/00000000-0000-4000-8000-000000000000'],
}

/** Runs jobs and creates an upload link, so that the pages of an account show something. */
export async function makeAccountExamples(media: Media): Promise<PageExamples> {
  const { job } = await media.image.resize(PHOTO, { width: 320 })
  await media.templates.save('thumbnails', {
    service_slug: 'image',
    operations: [
      { operation_key: 'resize', params: { width: 320 } },
      { operation_key: 'compress', params: {} },
    ],
    description: 'Small previews for lists',
  })
  const { upload_url } = await media.uploadSessions.create({
    service_slug: 'video',
    operation_key: 'thumbnail',
    params: {},
    note: 'The clip of Saturday, please.',
  })
  const { pathname, hash } = new URL(upload_url)
  return {
    ...VISITOR_EXAMPLES,
    '/account/*': ['keys', 'security', 'emails', 'data'].map((section) => `/account/${section}`),
    '/jobs/*': [`/jobs/${job.id}`],
    '/send': [pathname + hash],
  }
}
