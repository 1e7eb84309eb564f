. ./slipway.sh
etag=$(call -o body -D - "$API/pipelines/guide/builds/1" | tr -d '\r' | grep -i '^etag:' | cut -d ' ' -f 2-)
call -o body -w '%{http_code}\n' "$API/pipelines/guide/builds/1" -H "If-None-Match: $etag"
