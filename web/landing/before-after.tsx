import { useState } from 'preact/hooks'
import { Comparison } from '../design/comparison.tsx'
import { Segmented } from '../design/segmented.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatBytes } from '../text/format.ts'
import { EXAMPLES, SAMPLE } from './examples.ts'
import styles from './landing.module.css'
import { Section } from './section.tsx'

const texts = defineTexts({
  en: {
    title: 'Before and after',
    lead: 'Drag the divider. Everything here was made with the operations of this service.',
    operation: 'Operation',
    'image/compress': 'Compress',
    'image/enhance': 'Black and white',
    'image/watermark': 'Watermark',
    photo: 'A photo of a sunset over hills',
    sizes: (before: string, after: string) => `The photo took ${before}, the result takes ${after}.`,
  },
  uk: {
    title: 'До і після',
    lead: 'Перетягніть межу. Усе тут зроблено операціями цього сервісу.',
    operation: 'Операція',
    'image/compress': 'Стиснення',
    'image/enhance': 'Чорно-біле',
    'image/watermark': 'Водяний знак',
    photo: 'Фото заходу сонця над пагорбами',
    sizes: (before: string, after: string) => `Фото займало ${before}, результат займає ${after}.`,
  },
  ru: {
    title: 'До и после',
    lead: 'Перетащите границу. Все здесь сделано операциями этого сервиса.',
    operation: 'Операция',
    'image/compress': 'Сжатие',
    'image/enhance': 'Черно-белое',
    'image/watermark': 'Водяной знак',
    photo: 'Фото заката над холмами',
    sizes: (before: string, after: string) => `Фото занимало ${before}, результат занимает ${after}.`,
  },
})

/** Shows what three operations do to the same photo. */
export function BeforeAfter() {
  const t = texts()
  const [example, setExample] = useState<(typeof EXAMPLES)[number]>(EXAMPLES[0])
  const { width, height } = SAMPLE
  const image = (address: string, alt: string) => (
    <img src={address} alt={alt} width={width} height={height} loading="lazy" decoding="async" />
  )
  const size = (size_kb: number) => formatBytes(size_kb * 1024)
  return (
    <Section title={t.title} lead={t.lead}>
      <div class={styles.examples}>
        <Comparison
          width={width}
          height={height}
          before={image(SAMPLE.image, t.photo)}
          after={image(example.image, `${t.photo}. ${t[example.operation]}`)}
        />
        <div class={styles.choice}>
          <Segmented
            label={t.operation}
            options={EXAMPLES.map(({ operation }) => ({ value: operation, label: t[operation] }))}
            value={example.operation}
            onChange={(value) =>
              setExample(EXAMPLES.find(({ operation }) => operation === value) ?? EXAMPLES[0])
            }
          />
          <p role="status">{t.sizes(size(SAMPLE.size_kb), size(example.size_kb))}</p>
        </div>
      </div>
    </Section>
  )
}
