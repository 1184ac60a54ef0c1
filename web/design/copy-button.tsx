import { Check, Copy } from 'lucide-preact'
import { useEffect, useState } from 'preact/hooks'
import { defineTexts } from '../text/define-texts.ts'
import { Button } from './button.tsx'
import { copyText } from './copy.ts'

const SHOWN_MS = 2000

const texts = defineTexts({
  en: { copy: 'Copy', copied: 'Copied' },
  uk: { copy: 'Скопіювати', copied: 'Скопійовано' },
  ru: { copy: 'Скопировать', copied: 'Скопировано' },
})

/** Copies a text, and says so for a moment. */
export function CopyButton({ text }: { text: string }) {
  const t = texts()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const Icon = isCopied ? Check : Copy
  return (
    <Button onClick={async () => setCopied(await copyText(text))}>
      <Icon size={18} aria-hidden />
      <span aria-live="polite">{isCopied ? t.copied : t.copy}</span>
    </Button>
  )
}
