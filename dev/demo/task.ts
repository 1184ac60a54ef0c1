import type { ServiceSlug } from '../../shared/planning/operation.ts'
import type { Sample } from './samples.ts'

/** One job of `npm run demo -- --all`. A param such as `sample:music` stands for the URL of that sample. */
export interface Task {
  service_slug: ServiceSlug
  operation_key: string
  sample: Sample | 'link'
  params: Record<string, unknown>
  /** What the pictures must show. */
  case?: string
  /** What the contact sheet shows in addition to the image or video. */
  shows?: 'audio' | 'tags'
}
