/** Writes ZIP archives for tests. */
import {deflateRawSync} from 'node:zlib';

type ZippedFile = {
	readonly content: string | Uint8Array;
	/** The size that the archive says it has; by default the true one. */
	readonly size?: number;
};

/** Returns an archive whose local headers leave the sizes to the directory, as streamed archives do. */
export function zipOf(files: Readonly<Record<string, ZippedFile>>): Buffer {
	const locals: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const [name, {content, size}] of Object.entries(files)) {
		const bytes = Buffer.from(content);
		const data = deflateRawSync(bytes);
		const path = Buffer.from(name);
		const local = Buffer.alloc(30);
		local.writeUInt32LE(0x04034b50, 0);
		local.writeUInt16LE(0x0808, 6);
		local.writeUInt16LE(8, 8);
		local.writeUInt16LE(path.length, 26);
		const entry = Buffer.alloc(46);
		entry.writeUInt32LE(0x02014b50, 0);
		entry.writeUInt16LE(0x0808, 8);
		entry.writeUInt16LE(8, 10);
		entry.writeUInt32LE(data.length, 20);
		entry.writeUInt32LE(size ?? bytes.length, 24);
		entry.writeUInt16LE(path.length, 28);
		entry.writeUInt32LE(offset, 42);
		locals.push(local, path, data);
		directory.push(entry, path);
		offset += local.length + path.length + data.length;
	}
	const end = Buffer.alloc(22);
	end.writeUInt32LE(0x06054b50, 0);
	end.writeUInt16LE(Object.keys(files).length, 10);
	end.writeUInt32LE(Buffer.concat(directory).length, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...locals, ...directory, end]);
}
