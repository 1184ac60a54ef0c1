import { useState } from 'preact/hooks'
import type { UploadSessionCreated } from '../../client/src/index.ts'
import { SignedIn } from '../account/signed-in.tsx'
import { SelectField } from '../design/field.tsx'
import { RetryNotice } from '../design/retry-notice.tsx'
import { Skeleton } from '../design/surfaces.tsx'
import { Page } from '../shell/page.tsx'
import { toolOptions } from '../studio/tool-options.ts'
import { findTool, nameOf, type Tool, toolsFor } from '../studio/tools.ts'
import { useTools } from '../studio/use-tools.ts'
import { defineTexts } from '../text/define-texts.ts'
import { CreatedLink } from './created-link.tsx'
import { LinkForm } from './link-form.tsx'
import { EMPTY_DRAFT } from './link-request.ts'
import styles from './upload-links.module.css'

const texts = defineTexts({
  en: {
    title: 'New upload link',
    lead: 'Choose what happens to the file that someone sends you.',
    operation: 'Operation',
  },
  uk: {
    title: 'Нове посилання для завантаження',
    lead: 'Виберіть, що зробити з файлом, який вам надішлють.',
    operation: 'Операція',
  },
  ru: {
    title: 'Новая ссылка для загрузки',
    lead: 'Выберите, что сделать с файлом, который вам пришлют.',
    operation: 'Операция',
  },
})

export default function NewLink() {
  return (
    <SignedIn>
      <NewLinkPage />
    </SignedIn>
  )
}

function NewLinkPage() {
  const t = texts()
  const { data: tools, error, refetch } = useTools()
  const [created, setCreated] = useState<UploadSessionCreated | null>(null)
  if (created !== null) return <CreatedLink created={created} onAnother={() => setCreated(null)} />
  return (
    <Page title={t.title} lead={t.lead} isNarrow>
      {error && <RetryNotice error={error} onRetry={() => void refetch()} />}
      {tools === undefined ? (
        !error && <Skeleton height="32rem" />
      ) : (
        <Choices tools={toolsFor(tools, ['video', 'image'])} onCreated={setCreated} />
      )}
    </Page>
  )
}

interface ChoicesProps {
  tools: Tool[]
  onCreated: (created: UploadSessionCreated) => void
}

/** The operation, and the form that belongs to it. Another operation begins with its own settings and formats. */
function Choices({ tools, onCreated }: ChoicesProps) {
  const [name, setName] = useState(tools[0] ? nameOf(tools[0]) : '')
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const tool = findTool(tools, name)
  return (
    <div class={styles.form}>
      <SelectField
        label={texts().operation}
        hint={tool?.config.summary}
        options={[]}
        groups={toolOptions(tools)}
        value={name}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value)
          setDraft({ ...draft, types: [] })
        }}
      />
      {tool && (
        <LinkForm
          key={name}
          tool={tool}
          draft={draft}
          onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
          onCreated={onCreated}
        />
      )}
    </div>
  )
}
