import { Code } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Button } from '../design/button.tsx'
import { findTool, nameOf } from '../studio/tools.ts'
import { useTools } from '../studio/use-tools.ts'
import type { Operation } from '../studio/workspace/items.ts'
import { defineTexts } from '../text/define-texts.ts'
import { CodeDialog } from './code-dialog.tsx'

const texts = defineTexts({
  en: { label: 'As code' },
  uk: { label: 'Як код' },
  ru: { label: 'Как код' },
})

/** Shows how a program runs an operation with the same parameters. */
export function AsCode({ operation }: { operation: Operation }) {
  const { data: tools } = useTools()
  const [isOpen, setOpen] = useState(false)
  const tool = findTool(tools ?? [], nameOf(operation))
  if (tool === null) return null
  return (
    <>
      <Button look="plain" onClick={() => setOpen(true)}>
        <Code size={18} aria-hidden />
        {texts().label}
      </Button>
      {isOpen && <CodeDialog operation={operation} tool={tool} onClose={() => setOpen(false)} />}
    </>
  )
}
