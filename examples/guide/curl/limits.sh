. ./slipway.sh
call -o body -D - "$API/pipelines" | tr -d '\r' | sed -n 's/^RateLimit-User-\(Limit\|Remaining\): .*/\1/p'
call_graphql '{ viewer { id } }' '{}' -o body -D - | tr -d '\r' | sed -n 's/^RateLimit-\(Complexity-Actual\): .*/\1/p'
