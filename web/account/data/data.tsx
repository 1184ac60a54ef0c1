import { DeletePanel } from './delete-panel.tsx'
import { ExportPanel } from './export-panel.tsx'

/** What is stored about the owner: a copy of it, and its deletion. */
export default function OwnData() {
  return (
    <>
      <ExportPanel />
      <DeletePanel />
    </>
  )
}
