import { Media as WebMedia } from '../src/media.ts'
import type { MediaOptions } from '../src/options.ts'
import { nodePlatform } from './platform.ts'

export * from '../src/index.ts'

/** The client of the service, which also opens and saves files by their path. */
export class Media extends WebMedia {
  constructor(options: MediaOptions = {}) {
    super(options, nodePlatform)
  }
}
