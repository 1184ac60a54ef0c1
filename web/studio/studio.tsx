import { useEffect } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { ErrorNotice, Skeleton } from '../design/surfaces.tsx'
import { Page } from '../shell/page.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { DropZone } from './drop-zone.tsx'
import { ItemList } from './item-list.tsx'
import { RunList } from './run-list.tsx'
import { RunPanel } from './run-panel.tsx'
import styles from './studio.module.css'
import { ToolPicker } from './tool-picker.tsx'
import { findTool, nameOf, toolsFor, useTools } from './tools.ts'
import { items, startWork } from './work/index.ts'

const texts = defineTexts({
  en: { title: 'Studio', lead: 'Add files, choose what to do with them, and download the results.' },
  uk: { title: 'Студія', lead: 'Додайте файли, виберіть, що з ними зробити, і завантажте результати.' },
  ru: { title: 'Студия', lead: 'Добавьте файлы, выберите, что с ними сделать, и скачайте результаты.' },
})

/** The studio: inputs, the tools that fit them, settings, and results. The address names the chosen tool. */
export default function Studio() {
  const t = texts()
  useEffect(() => void startWork(), [])
  return (
    <Page title={t.title} lead={t.lead}>
      <div class={styles.columns}>
        <DropZone isCompact={items.value.length > 0} />
        {items.value.length > 0 && <ItemList />}
        <Tools />
        <RunList />
      </div>
    </Page>
  )
}

function Tools() {
  const { route } = useLocation()
  const { service, operation } = useRoute().params
  const { data: tools, error } = useTools()
  if (error) return <ErrorNotice error={error} />
  if (tools === undefined) return <Skeleton height="20rem" />
  const kinds = [...new Set(items.value.map(({ kind }) => kind))]
  const tool = findTool(tools, `${service}/${operation}`)
  if (tool === null) {
    return (
      <ToolPicker tools={toolsFor(tools, kinds)} onPick={(picked) => route(`/studio/${nameOf(picked)}`)} />
    )
  }
  const targets = items.value.filter(({ kind }) => tool.accepts.includes(kind))
  return <RunPanel key={nameOf(tool)} tool={tool} targets={targets} onBack={() => route('/studio')} />
}
