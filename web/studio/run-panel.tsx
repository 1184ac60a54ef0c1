import { useState } from 'preact/hooks'
import { Button } from '../design/button.tsx'
import { Segmented } from '../design/segmented.tsx'
import { Card } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { OperationForm, type Params } from './form/operation-form.tsx'
import styles from './run-panel.module.css'
import type { Tool } from './tools.ts'
import type { WorkItem } from './work/items.ts'
import { runOperation } from './work/run-items.ts'

const texts = defineTexts({
  en: { start: 'Start', back: 'All tools', presets: 'Presets', own: 'Own settings' },
  uk: { start: 'Почати', back: 'Усі інструменти', presets: 'Пресети', own: 'Власні налаштування' },
  ru: { start: 'Начать', back: 'Все инструменты', presets: 'Пресеты', own: 'Свои настройки' },
})

const OWN = 'own'

interface RunPanelProps {
  tool: Tool
  targets: readonly WorkItem[]
  onBack: () => void
}

/** Settings of one tool: presets first, then every parameter; and the button that starts it. */
export function RunPanel({ tool, targets, onBack }: RunPanelProps) {
  const t = texts()
  const { presets } = tool.config
  const [preset, setPreset] = useState(presets.length > 0 ? '0' : OWN)
  const [params, setParams] = useState<Params>(presets[0]?.params ?? {})
  const options = [
    ...presets.map(({ label }, index) => ({ value: String(index), label })),
    { value: OWN, label: t.own },
  ]
  return (
    <Card>
      <header class={styles.header}>
        <h2>{tool.title}</h2>
        <Button look="plain" onClick={onBack}>
          {t.back}
        </Button>
      </header>
      <p class={styles.description}>{tool.description}</p>
      <Segmented
        label={t.presets}
        options={options}
        value={preset}
        onChange={(value) => {
          setPreset(value)
          setParams(presets[Number(value)]?.params ?? params)
        }}
      />
      {preset === OWN && <OperationForm tool={tool} params={params} onChange={setParams} />}
      <Button
        look="primary"
        onClick={() =>
          runOperation(targets, {
            service_slug: tool.service_slug,
            operation_key: tool.operation_key,
            params,
          })
        }
      >
        {t.start}
      </Button>
    </Card>
  )
}
