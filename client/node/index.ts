import { Media as WebMedia } from '../src/media.ts'
import type { MediaOptions } from '../src/options.ts'
import { nodePlatform } from './platform.ts'

export * from '../src/index.ts'

/** Client for Node, which can also open and save files by path. */
export class Media extends WebMedia {
  constructor(options: MediaOptions = {}) {
    super(options, nodePlatform)
  }
}
