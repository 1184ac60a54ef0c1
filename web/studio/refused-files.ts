import { signal } from '@preact/signals'
import { onForget } from '../api/session.ts'

/** Names of files that were added last and are no inputs. */
export interface RefusedFiles {
  /** Neither videos nor images that some tool accepts. */
  unknown: readonly string[]
  /** Without any bytes. */
  empty: readonly string[]
}

const NONE: RefusedFiles = { unknown: [], empty: [] }

/** Outlives the page on which the files were added, because adding others opens the studio. */
export const refusedFiles = signal<RefusedFiles>(NONE)

export function clearRefusedFiles(): void {
  refusedFiles.value = NONE
}

onForget(clearRefusedFiles)
