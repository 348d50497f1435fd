/** Loads what a path names: a file, some of its lines, a folder, or all files that fit a pattern. */
import {statSync} from 'node:fs';
import {resolve} from 'node:path';
import type {Notice} from '../chat/event.ts';
import {hasContent} from '../chat/prompt.ts';
import {ChatError} from '../errors.ts';
import {detectMedia} from '../media-type.ts';
import {plural} from '../wording.ts';
import {findRange, type LineRange} from './line-range.ts';
import {downloadHint, type LoadedAttachments, mediaFromBytes} from './load-media.ts';
import {decodeText, loadTextFile} from './load-text.ts';
import type {TreeSource} from './load-tree.ts';
import {type FileSource, maxFileBytes, readFileBytes, sendHint} from './read-bytes.ts';

/** Characters of a pattern. */
const pattern = /[*?[{]/;

/**
 * Loads a text file, an image, a PDF or a recording, by its bytes; `file:10-40`, `file:10-` and
 * `file:10` are lines of a text file. A name that exists is never a pattern or a range.
 *
 * @throws {ChatError} `usage` or `data` for what cannot be sent, `input` for what is missing
 */
export async function loadFiles(path: string, source: TreeSource): Promise<LoadedAttachments> {
	if (/^https?:\/\//i.test(path)) {
		throw new ChatError('usage', 'a URL is not a file, and nothing is downloaded', {
			hint: downloadHint,
		});
	}
	const kind = kindAt(path, source);
	if (kind === 'folder' || (kind === undefined && pattern.test(path))) {
		const {loadTree} = await import('./load-tree.ts');
		return await loadTree(path, kind === 'folder', source);
	}
	const range = kind === undefined ? findRange(path) : undefined;
	if (range === undefined || kindAt(range.path, source) === undefined) {
		return await loadFile(path, source);
	}
	return await loadLines(path, range, source);
}

/** An empty name is not the current folder. */
function kindAt(path: string, {cwd}: FileSource): 'folder' | 'other' | undefined {
	if (path === '') return undefined;
	try {
		return statSync(resolve(cwd, path)).isDirectory() ? 'folder' : 'other';
	} catch {
		return undefined;
	}
}

async function loadFile(path: string, source: FileSource): Promise<LoadedAttachments> {
	const bytes = await readFileBytes(path, maxFileBytes, source);
	if (detectMedia(bytes) !== undefined) return mediaFromBytes(bytes, path, 'media');
	const {text, notices} = decodeText(bytes, path);
	const empty: Notice = {code: 'empty-file', message: `${path} is empty`};
	return {
		attachments: [{type: 'file', name: path, text}],
		notices: hasContent(text) ? notices : [...notices, empty],
	};
}

async function loadLines(
	written: string,
	{path, from, to}: LineRange,
	source: FileSource,
): Promise<LoadedAttachments> {
	const hint = sendHint('To send the whole', path);
	if (kindAt(path, source) === 'folder') {
		throw new ChatError('usage', `${written} names lines, but ${path} is a folder`, {
			hint,
		});
	}
	if (from < 1 || to < from) {
		throw new ChatError('usage', `${written} is not a range of lines, which count from 1`, {
			hint,
		});
	}
	const {text, notices} = await loadTextFile(path, source);
	const lines = text.split('\n');
	if (lines.at(-1) === '') lines.pop();
	if (from > lines.length) {
		const count = plural(lines.length, 'line');
		throw new ChatError('data', `${written} is beyond the end of ${path}, which has ${count}`, {
			hint,
		});
	}
	const last = Math.min(to, lines.length);
	const name = `${path}:${last === from ? from : `${from}-${last}`}`;
	return {
		attachments: [{type: 'file', name, text: lines.slice(from - 1, last).join('\n')}],
		notices,
	};
}
