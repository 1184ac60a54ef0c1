import { fromEvent } from 'file-selector'
import { useEffect, useState } from 'preact/hooks'

/**
 * Accepts files and folders that are dropped anywhere on the page.
 * @returns true while files are dragged over the page
 */
export function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const listeners = new AbortController()
    const listen = (type: 'dragover' | 'dragleave' | 'drop', handle: (event: DragEvent) => void) =>
      addEventListener(type, handle, { signal: listeners.signal })
    listen('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    })
    // Leaving an element for another one has a related target; leaving the window has none.
    listen('dragleave', ({ relatedTarget }) => relatedTarget === null && setOver(false))
    listen('drop', async (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(false)
      const entries = await fromEvent(event)
      onFiles(entries.filter((entry) => entry instanceof File))
    })
    return () => listeners.abort()
  }, [onFiles])
  return isOver
}
