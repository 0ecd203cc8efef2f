'use strict';
// redlock over three servers, one of which may stop.

const assert = require('node:assert/strict');
const { after, afterEach, before, beforeEach, test } = require('node:test');
const { setTimeout: sleep } = require('node:timers/promises');
const Redis = require('ioredis');
const { default: Redlock, ExecutionError } = require('redlock');
const { LocalServer } = require('./local_server.js');
const { eventually } = require('./shared_server.js');

let servers;
let clients;
let here;
let there;

const impatient = { retryCount: 0 };

function quorum() {
  const redlock = new Redlock(clients, { retryCount: 400, retryDelay: 20, retryJitter: 10 });
  redlock.on('error', () => {});
  return redlock;
}

before(async () => {
  servers = await Promise.all([LocalServer.start(), LocalServer.start(), LocalServer.start()]);
  const options = { maxRetriesPerRequest: 0, retryStrategy: () => 100 };
  clients = servers.map(({ port }) => new Redis({ port, ...options }));
  clients.forEach((client) => client.on('error', () => {}));
});
after(async () => {
  clients.forEach((client) => client.disconnect());
  for (const server of servers) if (server.isRunning()) await server.stop();
});
beforeEach(async () => {
  await Promise.all(clients.map((client) => client.flushall()));
  [here, there] = [quorum(), quorum()];
});
afterEach(() => {
  assert.ok(servers[0].isRunning() && servers[1].isRunning(), 'a server crashed');
});

function keysLeft() {
  return Promise.all(clients.slice(0, 2).map((client) => client.dbsize()));
}

// A vote may come after the majority has decided.
async function assertHeldByMajority(lock) {
  for (const resource of lock.resources) {
    await eventually('held by a majority', async () => {
      const values = await Promise.all(clients.map((client) => client.get(resource)));
      return values.filter((value) => value === lock.value).length >= 2;
    });
  }
}

test('acquire, contend, release', async () => {
  const lock = await here.acquire(['order', 'bill'], 30000);
  await assert.rejects(there.acquire(['bill', 'other'], 30000, impatient), ExecutionError);
  await assertHeldByMajority(lock);
  const remaining = Math.max(await clients[0].pttl('order'), await clients[1].pttl('order'));
  assert.ok(remaining > 20000 && remaining <= 30000);
  await lock.release();
  const next = await there.acquire(['bill', 'other'], 30000, impatient);
  await next.release();
  await eventually('all keys go', async () => (await keysLeft()).every((count) => count === 0));
});

test('whoever waits gets it at the release, or when the lease ends and not before', async () => {
  const lock = await here.acquire(['order'], 30000);
  const waiting = there.acquire(['order'], 600);
  await sleep(100);
  const released = Date.now();
  await lock.release();
  await waiting;
  const last = await here.acquire(['order'], 30000);
  assert.ok(Date.now() - released >= 590, 'granted before the lease was over');
  await last.release();
});

test('extended past three leases', async () => {
  let lock = await here.acquire(['order'], 1500);
  for (let i = 0; i < 16; i++) {
    await sleep(300);
    lock = await lock.extend(1500);
    await assert.rejects(there.acquire(['order'], 1500, impatient), ExecutionError);
  }
  await lock.release();
});

test('a stranger neither releases nor extends', async () => {
  const stalled = await here.acquire(['order'], 300);
  const next = await there.acquire(['order'], 30000);
  await assert.rejects(here.release(stalled, impatient), ExecutionError);
  // Its own clock tells redlock that the lease is over: the server is not even asked.
  await assert.rejects(stalled.extend(60000));
  stalled.expiration = Date.now() + 30000;
  await assert.rejects(here.extend(stalled, 60000, impatient), ExecutionError);
  await assertHeldByMajority(next);
  assert.ok((await clients[0].pttl('order')) <= 30000);
  await next.release();
});

test('any name will do, and the script caches may be flushed', async () => {
  for (const name of ['\0\r\n$3\r\n', 'ключ-鍵', 'x'.repeat(2000)]) {
    let lock = await here.acquire([name], 30000);
    await Promise.all(clients.map((client) => client.script('FLUSH')));
    lock = await lock.extend(30000);
    await Promise.all(clients.map((client) => client.script('FLUSH')));
    await lock.release();
  }
  await eventually('all keys go', async () => (await keysLeft()).every((count) => count === 0));
});

test('using() extends by itself', async () => {
  await here.using(['order'], 1500, { automaticExtensionThreshold: 900 }, async (signal) => {
    await sleep(2500);
    assert.equal(signal.aborted, false);
    await assert.rejects(there.acquire(['order'], 1500, impatient), ExecutionError);
  });
  await (await there.acquire(['order'], 1500, impatient)).release();
});

// The last test: nobody starts the server again.
test('two of three are enough', async () => {
  const lock = await here.acquire(['order'], 30000);
  await servers[2].stop();
  await assert.rejects(there.acquire(['order'], 30000, impatient), ExecutionError);
  await lock.release();
  const next = await there.acquire(['order'], 30000);
  await next.release();
});
