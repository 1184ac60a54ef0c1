import { keepWork } from './keep-work.ts'
import { startRunning } from './run-items.ts'
import { startUploading } from './upload-items.ts'

let started: Promise<void> | null = null

/** Restores the work of the last visit, then uploads and runs what is added, as long as the page is open. */
export function startWork(): Promise<void> {
  started ??= keepWork().then(() => {
    startUploading()
    startRunning()
  })
  return started
}

export { addFiles, addLink, addStored, inputs, items } from './items.ts'
export { awaited_inputs, isKept } from './keep-work.ts'
