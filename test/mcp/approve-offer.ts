/** Approves an offer without a server that makes it. */
import {join} from 'node:path';
import {saveManifest} from '../../src/mcp/manifest.ts';
import type {Offer} from '../../src/mcp/offer.ts';
import {readEntries} from '../../src/mcp/read-entries.ts';
import type {WrittenEntry} from '../helpers/mcp-servers.ts';
import {echo, manifestOf} from './memory-server.ts';

/** @param written the entry in the `mcp.json` of the home folder for which it is approved */
export function approveOffer(
	home: string,
	name: string,
	written: WrittenEntry,
	offer: Partial<Offer> = {},
): void {
	const file = {name: 'mcp.json', directory: join(home, '.config', 'chat')};
	const [found] = readEntries(JSON.stringify({servers: {[name]: written}}), file);
	if (found === undefined || !('access' in found.entry)) throw found?.entry;
	const manifest = manifestOf([echo]);
	const approved = {...manifest, offer: {...manifest.offer, ...offer}};
	const source = {platform: 'linux', homedir: home, variables: {}};
	saveManifest(found.entry, approved, source, 'test');
}
