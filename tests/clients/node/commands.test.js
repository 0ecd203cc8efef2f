'use strict';
// What else a lock application asks of the server through ioredis.

const assert = require('node:assert/strict');
const { once } = require('node:events');
const { beforeEach, test } = require('node:test');
const { shareServer } = require('./shared_server.js');

const { connect } = shareServer();
let client;
beforeEach(() => {
  client = connect();
});

test('the ready check, a name and a database', async () => {
  const named = connect({ connectionName: 'worker-7', db: 4, enableReadyCheck: true });
  await once(named, 'ready');
  assert.equal(await named.client('GETNAME'), 'worker-7');
  assert.match(await named.client('LIST'), /name=worker-7 .*db=4/);
  await named.set('k', 'there');
  assert.equal(await client.get('k'), null);
});

test('set options and expiry', async () => {
  assert.equal(await client.set('k', 'a', 'EX', 10, 'NX'), 'OK');
  assert.equal(await client.set('k', 'b', 'PX', 10, 'NX'), null);
  assert.equal(await client.set('k', 'b', 'XX', 'GET'), 'a');
  assert.equal(await client.setnx('k', 'c'), 0);
  assert.equal(await client.pexpire('k', 5000, 'NX'), 1);
  assert.equal(await client.pexpire('k', 9000, 'NX'), 0);
  assert.ok((await client.pttl('k')) <= 5000);
  assert.equal(await client.getdel('k'), 'b');
});

test('hashes, also with binary fields', async () => {
  assert.equal(await client.hset('h', { a: 1, b: 2 }), 2);
  assert.equal(await client.hincrby('h', 'a', 41), 42);
  assert.deepEqual(await client.hgetall('h'), { a: '42', b: '2' });
  assert.deepEqual(await client.hmget('h', 'a', 'none'), ['42', null]);
  const field = Buffer.from([0, 13, 10, 255]);
  assert.equal(await client.hset('h', field, field), 1);
  assert.deepEqual(await client.hgetBuffer('h', field), field);
});

test('a pipeline stays in step around an error', async () => {
  const pipeline = client.pipeline();
  for (let i = 0; i < 300; i++) pipeline.incr('counter');
  pipeline.set('text', 'x').incr('text').get('text');
  const replies = await pipeline.exec();
  assert.deepEqual(replies[299], [null, 300]);
  assert.match(replies[301][0].message, /not an integer/);
  assert.deepEqual(replies[302], [null, 'x']);
});

test('MULTI runs whole, pipelined or not', async () => {
  const replies = await client.multi().set('k', 1).incr('k').hget('k', 'f').get('k').exec();
  assert.deepEqual(replies[1], [null, 2]);
  assert.match(replies[2][0].message, /^WRONGTYPE/);
  assert.deepEqual(replies[3], [null, '2']);
  await client.multi({ pipeline: false });
  assert.equal(await client.set('k', 5), 'QUEUED');
  assert.deepEqual(await client.exec(), [[null, 'OK']]);
  await client.multi({ pipeline: false });
  await client.set('k', 6);
  assert.equal(await client.discard(), 'OK');
  assert.equal(await client.get('k'), '5');
});

test('MULTI with an unknown command runs nothing', async () => {
  const transaction = client.multi().set('k', 1).call('NOSUCH');
  await assert.rejects(transaction.exec(), /^ReplyError: EXECABORT/);
  assert.equal(await client.exists('k'), 0);
});

test('WATCH refuses a transaction on a changed key', async () => {
  await client.set('k', 1);
  await client.watch('k');
  await connect().set('k', 2);
  assert.equal(await client.multi().set('k', 3).exec(), null);
  assert.equal(await client.get('k'), '2');
  await client.watch('k');
  await client.unwatch();
  await connect().set('k', 4);
  assert.deepEqual(await client.multi().incr('k').exec(), [[null, 5]]);
});

test('channels and patterns', async () => {
  const subscriber = connect();
  const seen = [];
  subscriber.on('message', (channel, message) => seen.push(['message', channel, message]));
  subscriber.on('pmessage', (_, channel, message) => seen.push(['pmessage', channel, message]));
  assert.equal(await subscriber.subscribe('released:a', 'released:b'), 2);
  assert.equal(await subscriber.psubscribe('released:*'), 3);
  const counts = await client.pubsub('NUMSUB', 'released:a', 'none');
  assert.deepEqual(counts, ['released:a', 1, 'none', 0]);
  assert.equal(await client.publish('released:a', '1'), 2);
  assert.equal(await client.publish('released:c', '2'), 1);
  assert.equal(await subscriber.unsubscribe('released:a', 'released:b'), 1);
  assert.equal(await client.publish('released:a', '3'), 1);
  assert.equal(await subscriber.punsubscribe('released:*'), 0);
  assert.deepEqual(seen, [
    ['message', 'released:a', '1'],
    ['pmessage', 'released:a', '1'],
    ['pmessage', 'released:c', '2'],
    ['pmessage', 'released:a', '3'],
  ]);
  assert.equal(await subscriber.ping(), 'PONG');
});

test('expired keys are announced', async () => {
  await client.config('SET', 'notify-keyspace-events', 'Ex');
  const subscriber = connect();
  await subscriber.psubscribe('__keyevent@0__:expired');
  const event = once(subscriber, 'pmessage', { signal: AbortSignal.timeout(10000) });
  await client.set('lock:order', 'me', 'PX', 50);
  assert.deepEqual(await event, ['__keyevent@0__:expired', '__keyevent@0__:expired', 'lock:order']);
  await client.config('SET', 'notify-keyspace-events', '');
});

test('scan streams see every key', async () => {
  await client.mset(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`lock:${i}`, i])));
  const found = new Set();
  for await (const keys of client.scanStream({ match: 'lock:*', count: 50 })) {
    keys.forEach((key) => found.add(key));
  }
  assert.equal(found.size, 500);
});

test('a killed connection comes back with its subscription', async () => {
  const subscriber = connect({ retryStrategy: () => 20 });
  await subscriber.subscribe('released');
  const id = (await client.client('LIST', 'TYPE', 'pubsub')).match(/id=(\d+)/)[1];
  const again = once(subscriber, 'ready', { signal: AbortSignal.timeout(10000) });
  assert.equal(await client.client('KILL', 'ID', id), 1);
  await again;
  const message = once(subscriber, 'message', { signal: AbortSignal.timeout(10000) });
  const deadline = Date.now() + 10000;
  while ((await client.publish('released', 'x')) === 0) {
    assert.ok(Date.now() < deadline, 'no new subscription');
  }
  assert.deepEqual(await message, ['released', 'x']);
});
