import { useEffect } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { classes } from '../design/classes.ts'
import { RetryNotice } from '../design/retry-notice.tsx'
import { Notice, Skeleton } from '../design/surfaces.tsx'
import { lazyPart } from '../shell/lazy-page.tsx'
import { Page } from '../shell/page.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { DelayNotice } from './delay-notice.tsx'
import { DropZone } from './drop-zone.tsx'
import { ItemList } from './item-list.tsx'
import { LongVideos } from './long-videos.tsx'
import { RefusedNotices } from './refused-notices.tsx'
import { RunList } from './run-list.tsx'
import { RunPanel } from './run-panel.tsx'
import styles from './studio.module.css'
import { ToolPicker } from './tool-picker.tsx'
import { findTool, nameOf, targetsOf, toolsFor } from './tools.ts'
import { useTools } from './use-tools.ts'
import { awaited_inputs, inputs, isKept, startWork } from './workspace/index.ts'

const ChainPanel = lazyPart(() => import('../chains/chain-panel.tsx'))

const texts = defineTexts({
  en: {
    inputs: 'Files',
    second_tab: 'The studio is open in another tab. The work of this tab is lost when you close it.',
    title: 'Studio',
    lead: 'Add files, choose what to do with them, and download the results.',
  },
  uk: {
    inputs: 'Файли',
    second_tab: 'Студію відкрито в іншій вкладці. Роботу в цій вкладці буде втрачено, коли ви її закриєте.',
    title: 'Студія',
    lead: 'Додайте файли, виберіть, що з ними зробити, і завантажте результати.',
  },
  ru: {
    inputs: 'Файлы',
    second_tab: 'Студия открыта в другой вкладке. Работа в этой вкладке пропадет, когда вы ее закроете.',
    title: 'Студия',
    lead: 'Добавьте файлы, выберите, что с ними сделать, и скачайте результаты.',
  },
})

/** The studio: inputs, the tools that fit them, settings, and results. The address names the chosen tool. */
export default function Studio() {
  const t = texts()
  const is_empty = inputs.value.length === 0 && awaited_inputs.value === 0
  useEffect(() => void startWork(), [])
  return (
    <Page title={t.title} lead={t.lead}>
      {!isKept.value && <Notice>{t.second_tab}</Notice>}
      <div class={classes(styles.studio, is_empty && styles.empty)}>
        <section class={styles.inputs} aria-label={t.inputs}>
          {!is_empty && <RefusedNotices />}
          <LongVideos />
          {!is_empty && <ItemList />}
          <DropZone isCompact={!is_empty} />
        </section>
        <div class={styles.work}>
          <Tools />
          <DelayNotice />
          <RunList />
        </div>
      </div>
    </Page>
  )
}

function Tools() {
  const { path, route } = useLocation()
  const { service, operation } = useRoute().params
  const { data: tools, error, refetch } = useTools()
  if (error) return <RetryNotice error={error} onRetry={() => void refetch()} />
  // Which tools suit the inputs is not known before.
  if (tools === undefined || awaited_inputs.value > 0) return <Skeleton height="40rem" />
  const onBack = () => route('/studio')
  if (path === '/studio/chain') return <ChainPanel tools={tools} items={inputs.value} onBack={onBack} />
  const tool = findTool(tools, `${service}/${operation}`)
  if (tool === null) {
    const kinds = [...new Set(inputs.value.map(({ kind }) => kind))]
    return <ToolPicker tools={toolsFor(tools, kinds)} hrefOf={(each) => `/studio/${nameOf(each)}`} />
  }
  const targets = targetsOf(inputs.value, tool)
  return <RunPanel key={nameOf(tool)} tool={tool} targets={targets} onBack={onBack} />
}
