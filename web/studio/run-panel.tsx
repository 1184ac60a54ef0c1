import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../design/button.tsx'
import { Segmented } from '../design/segmented.tsx'
import { Card, ErrorNotice } from '../design/surfaces.tsx'
import { Editors } from '../editors/editors.tsx'
import { AsCode } from '../results/as-code.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { findFaults } from './form/find-faults.ts'
import { focusFault } from './form/focus-fault.ts'
import { formFields, type Params } from './form/form-fields.ts'
import { OperationForm } from './form/operation-form.tsx'
import { commonParams, paramsWithoutFiles, presetChoice } from './form/presets.ts'
import { refusalsOf } from './form/refusals.ts'
import { sentParams } from './form/sent-params.ts'
import { QuoteLine, QuoteWarnings, refuseUnpaid } from './quote/quote-line.tsx'
import { useQuote } from './quote/use-quote.ts'
import styles from './run-panel.module.css'
import { useStart } from './start-notice.tsx'
import { keepSettings, readSettings } from './tool-settings.ts'
import { nameOf, type Tool } from './tools.ts'
import { refused_runs, type WorkItem } from './workspace/items.ts'
import { isSameOperation, type Operation } from './workspace/operation.ts'

const texts = defineTexts({
  en: {
    start: 'Start',
    back: 'All tools',
    presets: 'Presets',
    no_input: 'Add a file first.',
    no_link: 'Add a link first.',
  },
  uk: {
    start: 'Почати',
    back: 'Усі інструменти',
    presets: 'Пресети',
    no_input: 'Спершу додайте файл.',
    no_link: 'Спершу додайте посилання.',
  },
  ru: {
    start: 'Начать',
    back: 'Все инструменты',
    presets: 'Пресеты',
    no_input: 'Сначала добавьте файл.',
    no_link: 'Сначала добавьте ссылку.',
  },
})

interface RunPanelProps {
  tool: Tool
  targets: readonly WorkItem[]
  onBack: () => void
}

/** Settings of one tool: presets first, then the picture and every parameter; the price; and the start. */
export function RunPanel({ tool, targets, onBack }: RunPanelProps) {
  const t = texts()
  const [params, setParams] = useState<Params>(() => readSettings(tool) ?? commonParams(tool))
  useEffect(() => keepSettings(tool, params), [params])
  const hasTargets = targets.length > 0
  const hadTargets = useRef(hasTargets)
  useEffect(() => {
    if (hadTargets.current && !hasTargets) setParams((current) => paramsWithoutFiles(tool, current))
    hadTargets.current = hasTargets
  }, [hasTargets])
  const [showsFaults, setShowsFaults] = useState(false)
  const [started, setStarted] = useState<Operation | null>(null)
  const card = useRef<HTMLDivElement>(null)
  const fields = formFields(tool)
  const isValid = Object.keys(findFaults(fields, params)).length === 0
  const { service_slug, operation_key } = tool
  const operation = { service_slug, operation_key, params: sentParams(fields, params) }
  const quote = useQuote(targets, isValid ? operation : null)
  // Progress does not concern the form, so it is rendered again only when another run is refused.
  void refused_runs.value
  // Once a setting is changed, errors of the last start no longer concern what the form shows.
  const refused = started !== null && isSameOperation(started, operation) ? errorsOf(targets, started) : []
  const errors = [...(quote.error === null ? [] : [quote.error]), ...refused]
  const refusals = refusalsOf(errors)
  const is_refused_at_field = Object.keys(refusalsOf(refused)).length > 0
  // Only a refused start moves the focus: a price that cannot be computed must not interrupt typing.
  useEffect(() => {
    if (is_refused_at_field) focusFault(card.current)
  }, [is_refused_at_field])

  const { start, notice } = useStart(targets, operation)

  const onStart = () => {
    if (isValid) {
      setStarted(operation)
      start()
      return
    }
    setShowsFaults(true)
    // The faults are shown by the next render.
    requestAnimationFrame(() => focusFault(card.current))
  }

  return (
    <Card>
      <div ref={card} class={styles.panel} data-tool={nameOf(tool)}>
        <header class={styles.header}>
          <div>
            <h2>{tool.title}</h2>
            <p class={styles.description}>{tool.config.summary}</p>
          </div>
          <Button look="plain" onClick={onBack}>
            {t.back}
          </Button>
        </header>
        <Presets tool={tool} params={params} onChange={setParams} />
        <Editors {...{ tool, targets, params }} onChange={setParams} />
        <OperationForm {...{ tool, params, showsFaults, refusals }} onChange={setParams} />
        <QuoteWarnings total={quote.total} />
        {quote.error !== null && Object.keys(refusals).length === 0 && <ErrorNotice error={quote.error} />}
        {notice}
        <footer class={styles.footer}>
          {hasTargets ? (
            <QuoteLine total={quote.total} isPending={quote.isFetching} />
          ) : (
            <p role="status">{tool.accepts.includes('link') ? t.no_link : t.no_input}</p>
          )}
          <span class={styles.buttons}>
            {isValid && <AsCode operation={operation} />}
            <Button look="primary" disabled={!hasTargets} onClick={onStart} {...refuseUnpaid(quote.total)}>
              {t.start}
            </Button>
          </span>
        </footer>
      </div>
    </Card>
  )
}

/** Ready-made settings. */
function Presets({ tool, params, onChange }: Pick<RunPanelProps, 'tool'> & PresetsProps) {
  const t = texts()
  if (tool.config.presets.length === 0) return null
  const { options, value, paramsOf } = presetChoice(tool, params)
  return (
    <Segmented
      label={t.presets}
      options={options}
      value={value}
      onChange={(chosen) => onChange(paramsOf(chosen))}
    />
  )
}

interface PresetsProps {
  params: Params
  onChange: (params: Params) => void
}

/** Returns the errors of the runs of an operation that the service has not accepted. */
function errorsOf(targets: readonly WorkItem[], operation: Operation): unknown[] {
  return targets.flatMap(({ runs }) => {
    const run = runs.peek().findLast((each) => isSameOperation(each.operation, operation))
    return run === undefined || run.error === null ? [] : [run.error]
  })
}
