import sharp from 'sharp'

/** Draws a landscape with camera-like noise and EXIF metadata. */
export async function drawPhoto(file: string): Promise<void> {
  const hills = ['#6d83a6', '#4b6587', '#2f4a63', '#1b2f3d'].map((color, index) => {
    const top = 250 + index * 45
    const swing = 60 - index * 10
    const curve = `C 200 ${top - swing}, 320 ${top + swing}, 480 ${top} S 700 ${top - swing}, 960 ${top + 20}`
    return `<path d="M 0 ${top} ${curve} L 960 540 L 0 540 Z" fill="${color}"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#2b4c8c"/><stop offset=".5" stop-color="#f2b880"/></linearGradient></defs>
    <rect width="960" height="540" fill="url(#sky)"/><circle cx="660" cy="190" r="44" fill="#ffe9b8"/>${hills.join('')}</svg>`
  const noise = {
    create: {
      width: 960,
      height: 540,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 12 },
    },
  } as const
  const grain = await sharp(noise).png().toBuffer()
  await sharp(Buffer.from(svg))
    .composite([{ input: grain, blend: 'soft-light' }])
    .withExif({
      IFD0: { Make: 'Example', Model: 'Sample camera', Software: 'Demo' },
      IFD2: { DateTimeOriginal: '2026:05:01 18:30:00' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '48/1 12/1 30/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '16/1 22/1 26/1',
      },
    })
    .jpeg({ quality: 92 })
    .toFile(file)
}

/** Draws a sky and leaves in colors that sRGB does not have. The file has the Display P3 profile. */
export async function drawWidePhoto(file: string): Promise<void> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540"><defs>
    <linearGradient id="sky"><stop stop-color="#ff3a00"/><stop offset="1" stop-color="#ff00b4"/></linearGradient></defs>
    <rect width="960" height="540" fill="url(#sky)"/><circle cx="480" cy="270" r="180" fill="#00ff3c"/></svg>`
  await sharp(Buffer.from(svg)).withIccProfile('p3').avif({ quality: 80, effort: 2 }).toFile(file)
}

/** Draws a round logo on a transparent background. */
export async function drawLogo(file: string): Promise<void> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="240"><circle cx="120" cy="120" r="112" fill="#e4572e"/><path d="M 88 68 L 184 120 L 88 172 Z" fill="#fff"/></svg>`
  await sharp(Buffer.from(svg)).png().toFile(file)
}
